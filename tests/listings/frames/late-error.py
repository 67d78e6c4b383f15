# SPDX-License-Identifier: MIT
# skip late: it ends with the error that the lesson is about
# skip launch-blocking: it ends with the error that the lesson is about
# skip sync-each: it ends with the error that the lesson is about
from given import *

