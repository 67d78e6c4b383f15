<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Alignment</name>
    <message>
        <source>the start of %1</source>
        <translation>%1 的开始</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>aligned at %1</source>
        <translation>对齐于 %1</translation>
    </message>
    <message>
        <source>aligned at their starts</source>
        <translation>在起点对齐</translation>
    </message>
    <message>
        <source>aligned at %1 and %2</source>
        <translation>对齐于 %1 与 %2</translation>
    </message>
</context>
<context>
    <name>Arrows</name>
    <message>
        <source>%1 in a hidden lane</source>
        <translation>%1（在隐藏的泳道中）</translation>
    </message>
    <message>
        <source>%1, %2 earlier</source>
        <translation>%1，早 %2</translation>
    </message>
    <message>
        <source>%1, %2 later</source>
        <translation>%1，晚 %2</translation>
    </message>
</context>
<context>
    <name>Card</name>
    <message>
        <source>from – to</source>
        <translation>从 – 到</translation>
    </message>
    <message>
        <source>It waited for</source>
        <translation>它等待了</translation>
    </message>
    <message>
        <source>What waited for it</source>
        <translation>等待它的</translation>
    </message>
    <message>
        <source>It issued</source>
        <translation>它发起了</translation>
    </message>
    <message>
        <source>Called in</source>
        <translation>调用所在</translation>
    </message>
    <message>
        <source>Issued by</source>
        <translation>发起者</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所属</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>began %1 before that ended</source>
        <translation>在其结束前 %1 开始</translation>
    </message>
    <message>
        <source>began %1 after</source>
        <translation>在其后 %1 开始</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>its own call; began %1 after</source>
        <translation>自身的调用；在其后 %1 开始</translation>
    </message>
    <message>
        <source>the last of its collective, on %1; %2 later</source>
        <translation>本次集合通信中最后开始的一个，位于 %1；晚 %2</translation>
    </message>
    <message>
        <source>before it on its stream</source>
        <translation>同一流上的前一个</translation>
    </message>
    <message>
        <source>on %1, through an event</source>
        <translation>位于 %1，经由事件</translation>
    </message>
    <message>
        <source>before it in its graph</source>
        <translation>同一图中的前一个</translation>
    </message>
    <message>
        <source>on %1, through the default stream</source>
        <translation>位于 %1，经由默认流</translation>
    </message>
    <message>
        <source>on %1, held the copy engine</source>
        <translation>位于 %1，占用拷贝引擎</translation>
    </message>
    <message>
        <source>on %1, filled the GPU</source>
        <translation>位于 %1，占满 GPU</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>%1 waited %2</source>
        <translation>%1 等待了 %2</translation>
    </message>
    <message>
        <source>%1, costs %2</source>
        <translation>%1，代价 %2</translation>
    </message>
    <message>
        <source>began %1 before it ended</source>
        <translation>在它结束前 %1 开始</translation>
    </message>
    <message>
        <source>next on its stream; %1</source>
        <translation>同一流上的下一个；%1</translation>
    </message>
    <message>
        <source>on %1; %2</source>
        <translation>位于 %1；%2</translation>
    </message>
    <message>
        <source>on %1; idle %2 until then</source>
        <translation>位于 %1；此前空闲 %2</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>costs</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>on %1; the call went on %2 after its end</source>
        <translation>位于 %1；它结束后 %2，调用继续</translation>
    </message>
    <message>
        <source>on %1; began %2 after the call</source>
        <translation>位于 %1；在调用后 %2 开始</translation>
    </message>
    <message>
        <source>%1, %2 before it began</source>
        <translation>%1，在它开始前 %2</translation>
    </message>
    <message>
        <source>module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>call site</source>
        <translation>调用处</translation>
    </message>
    <message>
        <source>Captured in</source>
        <translation>捕获时所在的范围</translation>
    </message>
    <message>
        <source>in the graph, times not recorded</source>
        <translation>图中的操作，时间未录制</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>owner</source>
        <translation>归属</translation>
    </message>
    <message>
        <source>captured before the recorded part in</source>
        <translation>在所记录部分之前捕获于</translation>
    </message>
    <message>
        <source>none: its call is not recorded</source>
        <translation>无：其调用未被记录</translation>
    </message>
    <message>
        <source>none: the capture of its CUDA graph is not recorded</source>
        <translation>无：其 CUDA Graph 的捕获未被记录</translation>
    </message>
    <message>
        <source>none: issued outside of every range</source>
        <translation>无：发起时不在任何范围中</translation>
    </message>
</context>
<context>
    <name>ChainPainter</name>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>same stream</source>
        <translation>同一流</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>legacy stream</source>
        <translation>传统默认流</translation>
    </message>
    <message>
        <source>copy engine</source>
        <translation>拷贝引擎</translation>
    </message>
    <message>
        <source>GPU full</source>
        <translation>GPU 已占满</translation>
    </message>
    <message>
        <source>other GPU</source>
        <translation>另一 GPU</translation>
    </message>
    <message>
        <source>waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>CPU %1</source>
        <translation>CPU %1</translation>
    </message>
    <message>
        <source>other thread</source>
        <translation>另一线程</translation>
    </message>
    <message>
        <source>reason unknown</source>
        <translation>原因未知</translation>
    </message>
</context>
<context>
    <name>Differences</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>neither says</source>
        <translation>两者都没有说明</translation>
    </message>
    <message>
        <source>%1 does not say</source>
        <translation>%1 没有说明</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>only in %1</source>
        <translation>仅 %1 有</translation>
    </message>
    <message>
        <source>&lt; 1 % more</source>
        <translation>增加不到 1%</translation>
    </message>
    <message>
        <source>&lt; 1 % less</source>
        <translation>减少不到 1%</translation>
    </message>
    <message>
        <source>&gt; 99 % less</source>
        <translation>减少超过 99%</translation>
    </message>
    <message>
        <source>%1 % more</source>
        <translation>增加 %1%</translation>
    </message>
    <message>
        <source>%1 % less</source>
        <translation>减少 %1%</translation>
    </message>
    <message>
        <source>%1 times as much</source>
        <translation>增至 %1 倍</translation>
    </message>
    <message>
        <source>total</source>
        <translation>总时间</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>work, whole recordings</source>
        <translation>工作（整个录制）</translation>
    </message>
    <message>
        <source>not the same</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>bytes read</source>
        <translation>读取的数据</translation>
    </message>
    <message>
        <source>wrong in both</source>
        <translation>两者都有错</translation>
    </message>
    <message>
        <source>wrong in %1</source>
        <translation>%1 有错</translation>
    </message>
    <message>
        <source>%1 wrong</source>
        <translation>%1 是错的</translation>
    </message>
    <message>
        <source>all right</source>
        <translation>全部正确</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>total, unfiltered</source>
        <translation>总时间（未筛选）</translation>
    </message>
    <message>
        <source>%1, filtered</source>
        <translation>%1（已筛选）</translation>
    </message>
    <message>
        <source>waits cost</source>
        <translation>等待的代价</translation>
    </message>
    <message>
        <source>communication hidden</source>
        <translation>被隐藏的通信</translation>
    </message>
    <message>
        <source>CPU free</source>
        <translation>CPU 空闲</translation>
    </message>
</context>
<context>
    <name>Expectation</name>
    <message>
        <source>%1, the same</source>
        <translation>%1，一样</translation>
    </message>
    <message>
        <source>%1, %2 faster</source>
        <translation>%1，快 %2</translation>
    </message>
    <message>
        <source>%1, %2 slower</source>
        <translation>%1，慢 %2</translation>
    </message>
    <message>
        <source>%1, %2 times as fast</source>
        <translation>%1，速度为 %2 倍</translation>
    </message>
    <message>
        <source>%1, %2 times as long</source>
        <translation>%1，用时为 %2 倍</translation>
    </message>
    <message>
        <source>You were right: %1</source>
        <translation>你猜对了：%1</translation>
    </message>
    <message>
        <source>You expected %1; it took %2</source>
        <translation>你预计 %1；实际 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Hands for %1; it took %2</source>
        <translation>举手结果 %1；实际用了 %2</translation>
    </message>
    <message>
        <source>“%1” took %2. How long does “%3” take?</source>
        <translation>“%1”用了 %2。“%3”要多久？</translation>
    </message>
    <message>
        <source>How long does “%1” take?</source>
        <translation>“%1”要多久？</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>%1 (line %2 of the workload)</source>
        <translation>%1（工作负载第 %2 行）</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>API call</source>
        <translation>API 调用</translation>
    </message>
    <message>
        <source>%1 on %2 at %3</source>
        <translation>%1，%2，于 %3</translation>
    </message>
    <message>
        <source>From call to start</source>
        <translation>从调用到开始</translation>
    </message>
    <message>
        <source>Launched in</source>
        <translation>发起时所在的范围</translation>
    </message>
    <message>
        <source>Captured in</source>
        <translation>捕获时所在的范围</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Values of its range</source>
        <translation>所在范围的值</translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation>图中的操作</translation>
    </message>
    <message>
        <source>%1, times not recorded</source>
        <translation>%1，时间未录制</translation>
    </message>
    <message>
        <source>Full name</source>
        <translation>全名</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>线程块</translation>
    </message>
    <message>
        <source>Registers per thread</source>
        <translation>每线程寄存器</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>%1 static, %2 dynamic</source>
        <translation>静态 %1，动态 %2</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Issued by</source>
        <translation>发起方式</translation>
    </message>
    <message>
        <source>an Async call</source>
        <translation>异步调用</translation>
    </message>
    <message>
        <source>a synchronous call</source>
        <translation>同步调用</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>之间</translation>
    </message>
    <message>
        <source>GPU %1 → GPU %2</source>
        <translation>GPU %1 → GPU %2</translation>
    </message>
    <message>
        <source>Graph node</source>
        <translation>图节点</translation>
    </message>
    <message>
        <source>Hardware channel</source>
        <translation>硬件通道</translation>
    </message>
    <message>
        <source>runtime API call</source>
        <translation>运行时 API 调用</translation>
    </message>
    <message>
        <source>driver API call</source>
        <translation>驱动 API 调用</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>the recording does not say</source>
        <translation>录制中没有说明</translation>
    </message>
    <message>
        <source>Released by</source>
        <translation>释放者</translation>
    </message>
    <message>
        <source>Why it began then</source>
        <translation>为何此时开始</translation>
    </message>
    <message>
        <source>Why released then</source>
        <translation>为何此时释放</translation>
    </message>
    <message>
        <source>%1 on %2, done at %3</source>
        <translation>%1，%2，完成于 %3</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>由其发起</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Autograd&apos;s number</source>
        <translation>Autograd 编号</translation>
    </message>
    <message>
        <source>Backward of</source>
        <translation>对应的前向</translation>
    </message>
    <message>
        <source>Its backward</source>
        <translation>对应的反向</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1（%2 处）</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>where Python was, sampled</source>
        <translation>Python 所在位置（采样）</translation>
    </message>
    <message>
        <source>Known to</source>
        <translation>精确到</translation>
    </message>
    <message>
        <source>%1: either end may be late by that</source>
        <translation>%1：两端都可能晚这么多</translation>
    </message>
    <message>
        <source>it never ended in the recording</source>
        <translation>在录制中没有结束</translation>
    </message>
    <message>
        <source>work on the CPU</source>
        <translation>CPU 上的工作</translation>
    </message>
    <message>
        <source>waits to put into a queue</source>
        <translation>等待放入队列</translation>
    </message>
    <message>
        <source>waits to take from a queue</source>
        <translation>等待从队列取出</translation>
    </message>
    <message>
        <source>waits for a thread</source>
        <translation>等待一个线程</translation>
    </message>
    <message>
        <source>Wrong bytes</source>
        <translation>错误字节</translation>
    </message>
    <message>
        <source>none: all of it was fresh</source>
        <translation>无：全部为最新</translation>
    </message>
    <message>
        <source>the workload expects old bytes</source>
        <translation>工作负载预期读到旧数据</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation>关联号</translation>
    </message>
    <message>
        <source>Staging</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>step of a pageable copy&apos;s staging</source>
        <translation>可分页拷贝暂存的一步</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>时差</translation>
    </message>
    <message>
        <source>none: any delay delays the end</source>
        <translation>无：它一延迟，结束就延迟</translation>
    </message>
    <message>
        <source>%1: it could have ended this much later without delaying the end</source>
        <translation>%1：它晚这么久结束也不会推迟最后的结束</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>%1, for %2</source>
        <translation>%1，等待%2</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>没有</translation>
    </message>
</context>
<context>
    <name>FrameHits</name>
    <message>
        <source>The clocks of these ranks may differ by up to this.</source>
        <translation>这些 rank 的时钟最多可能相差这么多。</translation>
    </message>
    <message>
        <source>Which of two closer moments of theirs came first is not known.</source>
        <translation>它们之间相隔更近的两个时刻，无法判断先后。</translation>
    </message>
    <message>
        <source>exposed: %1</source>
        <translation>未隐藏：%1</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>one thing at a time</source>
        <translation>逐个执行</translation>
    </message>
    <message>
        <source>two at once</source>
        <translation>两项同时</translation>
    </message>
    <message>
        <source>three or more at once</source>
        <translation>三项或更多同时</translation>
    </message>
    <message>
        <source>%1: %2 of this pixel</source>
        <translation>%1：占此像素的 %2</translation>
    </message>
    <message>
        <source>%1 here, busy %2: zoom in to separate them</source>
        <translation>此处 %1 个，忙碌 %2：放大以区分</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>at work</source>
        <translation>在工作</translation>
    </message>
    <message>
        <source>waiting for another thread</source>
        <translation>在等待另一个线程</translation>
    </message>
    <message>
        <source>while the GPU works, %1 is %2</source>
        <translation>GPU 工作时，%1 %2</translation>
    </message>
    <message>
        <source>%1 to %2 in this pixel</source>
        <translation>此像素内为 %1 到 %2</translation>
    </message>
    <message>
        <source>waiting for the GPU</source>
        <translation>在等待 GPU</translation>
    </message>
    <message>
        <source>waiting for the GPU at a cost</source>
        <translation>在等待 GPU，有代价</translation>
    </message>
</context>
<context>
    <name>FrameTimes</name>
    <message>
        <source>%1: none yet</source>
        <translation>%1：尚无</translation>
    </message>
    <message>
        <source>%1: %2 ms, median %3, p95 %4 of %5</source>
        <translation>%1：%2 ms，中位数 %3，p95 %4，共 %5 次</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>overlay</source>
        <translation>叠加层</translation>
    </message>
    <message>
        <source>%L1 items in %2 rows, %3 columns, index %4</source>
        <translation>%2 行共 %L1 项，%3 列，索引 %4</translation>
    </message>
</context>
<context>
    <name>IdlePainter</name>
    <message>
        <source>The call of the next operation came late: its thread did something else</source>
        <translation>下一个操作的调用来得晚：它的线程在做别的事</translation>
    </message>
    <message>
        <source>The thread of the next operation was in a wait for the GPU, or in a copy; vermilion: that cost time</source>
        <translation>下一个操作的线程在等待 GPU 或在拷贝中；朱红色：有代价</translation>
    </message>
    <message>
        <source>The thread of the next operation was in a copy of pageable memory; vermilion: that cost time</source>
        <translation>下一个操作的线程在拷贝可分页内存；朱红色：有代价</translation>
    </message>
    <message>
        <source>The thread of the next operation allocated, freed or pinned memory</source>
        <translation>下一个操作的线程在分配、释放或锁定内存</translation>
    </message>
    <message>
        <source>The thread of the next operation waited for room in the launch queue</source>
        <translation>下一个操作的线程在等待启动队列的空位</translation>
    </message>
    <message>
        <source>The thread of the next operation waited for another thread</source>
        <translation>下一个操作的线程在等待另一个线程</translation>
    </message>
    <message>
        <source>The next operation was the first launch of its kernel: its code was loaded</source>
        <translation>下一个操作是其内核的首次启动：正在加载代码</translation>
    </message>
    <message>
        <source>The thread of the next operation was in the first call of its process: CUDA started up</source>
        <translation>下一个操作的线程处于其进程的首次调用中：CUDA 正在启动</translation>
    </message>
    <message>
        <source>The next operation waited for the previous one on its stream</source>
        <translation>下一个操作排在同一流的另一个操作之后</translation>
    </message>
    <message>
        <source>The next operation waited for another stream, through an event</source>
        <translation>下一个操作通过事件等待另一个流</translation>
    </message>
    <message>
        <source>The next operation waited for another node of its graph</source>
        <translation>下一个操作等待所在图的另一个节点</translation>
    </message>
    <message>
        <source>The next operation waited because of the legacy default stream</source>
        <translation>下一个操作因传统默认流而等待</translation>
    </message>
    <message>
        <source>The next operation waited for its copy engine, which was busy with another copy</source>
        <translation>下一个操作等待拷贝引擎，它正在做另一次拷贝</translation>
    </message>
    <message>
        <source>The next operation waited for free SMs, which other kernels occupied</source>
        <translation>下一个操作等待空闲的 SM，它们被其他内核占用</translation>
    </message>
    <message>
        <source>From the call of the next operation, or the end of what it waited for, to its start</source>
        <translation>从下一个操作的调用，或从它所等待的操作结束，到它开始</translation>
    </message>
    <message>
        <source>No more work came to the stream</source>
        <translation>流上没有后续工作</translation>
    </message>
    <message>
        <source>The recording does not say why the next operation did not begin earlier</source>
        <translation>录制没有说明下一个操作为何没有更早开始</translation>
    </message>
    <message>
        <source>idle for %1: %2</source>
        <translation>空闲 %1：%2</translation>
    </message>
    <message>
        <source>meanwhile: %1</source>
        <translation>其间：%1</translation>
    </message>
    <message>
        <source>next operation: %1</source>
        <translation>下一个操作：%1</translation>
    </message>
</context>
<context>
    <name>ItemText</name>
    <message>
        <source>waits %1 for rank %2</source>
        <translation>等 rank %2 等了 %1</translation>
    </message>
    <message>
        <source>CPU work</source>
        <translation>CPU 工作</translation>
    </message>
    <message>
        <source>waits: queue %1 is full</source>
        <translation>等待：队列 %1 已满</translation>
    </message>
    <message>
        <source>queue full</source>
        <translation>队列已满</translation>
    </message>
    <message>
        <source>waits: queue %1 is empty</source>
        <translation>等待：队列 %1 为空</translation>
    </message>
    <message>
        <source>queue empty</source>
        <translation>队列为空</translation>
    </message>
    <message>
        <source>waits for thread %1</source>
        <translation>等待线程 %1</translation>
    </message>
    <message>
        <source>join</source>
        <translation>汇合</translation>
    </message>
    <message>
        <source>grid %1 × %2 × %3, block %4 × %5 × %6</source>
        <translation>网格 %1 × %2 × %3，线程块 %4 × %5 × %6</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>，%1 到 %2</translation>
    </message>
    <message>
        <source>%1 on GPU %2</source>
        <translation>%1，位于 GPU %2</translation>
    </message>
    <message>
        <source>issued by %1, %2 before it began</source>
        <translation>由 %1 发起，早于开始 %2</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>waits for its copy</source>
        <translation>等待自己的拷贝</translation>
    </message>
    <message>
        <source>stages its pageable copy</source>
        <translation>暂存可分页拷贝</translation>
    </message>
    <message>
        <source>waits for a stream</source>
        <translation>等待一个流</translation>
    </message>
    <message>
        <source>waits for the GPU</source>
        <translation>等待 GPU</translation>
    </message>
    <message>
        <source>waits for an event</source>
        <translation>等待一个事件</translation>
    </message>
    <message>
        <source>waits for its kernel</source>
        <translation>等待自己启动的内核</translation>
    </message>
    <message>
        <source>polls until the GPU is done</source>
        <translation>轮询直到 GPU 完成</translation>
    </message>
    <message>
        <source>allocation waits for the GPU</source>
        <translation>分配等待 GPU</translation>
    </message>
    <message>
        <source>staging</source>
        <translation>暂存</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>%1 long, from %2 to %3</source>
        <translation>长 %1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>where Python was, sampled every %1: either end may be late by that</source>
        <translation>Python 所在位置，每 %1 采样一次：两端都可能晚这么多</translation>
    </message>
    <message>
        <source>returned error %1</source>
        <translation>返回错误 %1</translation>
    </message>
    <message>
        <source>released by %1</source>
        <translation>由 %1 释放</translation>
    </message>
    <message>
        <source>%1 of %2 were wrong</source>
        <translation>%2 中有 %1 是错的</translation>
    </message>
    <message>
        <source>%1 read, all correct</source>
        <translation>读取了 %1，全部正确</translation>
    </message>
    <message>
        <source>waits for room in the launch queue</source>
        <translation>等待启动队列有空位</translation>
    </message>
    <message>
        <source>costs %1: what follows could have begun earlier</source>
        <translation>代价 %1：之后的工作本可更早开始</translation>
    </message>
    <message>
        <source>costs nothing: the thread has nothing left to issue</source>
        <translation>没有代价：线程已没有要发起的工作</translation>
    </message>
    <message>
        <source>costs nothing: what follows would have waited as long for a GPU</source>
        <translation>没有代价：之后的工作同样要等 GPU 这么久</translation>
    </message>
    <message>
        <source>what it costs is not recorded</source>
        <translation>代价未记录</translation>
    </message>
    <message>
        <source>%1, costs %2</source>
        <translation>%1，代价 %2</translation>
    </message>
    <message>
        <source>%1, costs nothing</source>
        <translation>%1，没有代价</translation>
    </message>
    <message>
        <source>%1, cost not recorded</source>
        <translation>%1，代价未记录</translation>
    </message>
    <message>
        <source>waits for the result</source>
        <translation>等待结果</translation>
    </message>
    <message>
        <source>waits for stream %1</source>
        <translation>等待流 %1</translation>
    </message>
    <message>
        <source>costs %1</source>
        <translation>代价 %1</translation>
    </message>
    <message>
        <source>staged: bytes move in %1 of its time, at the %2 of pinned memory; in the rest it waits for the host</source>
        <translation>分段拷贝：按锁页内存的 %2 计，字节只在 %1 的时间里移动，其余时间等待主机</translation>
    </message>
</context>
<context>
    <name>LaneCommands</name>
    <message>
        <source>Move range &amp;end forward</source>
        <translation>范围终点移到下一个边缘(&amp;E)</translation>
    </message>
    <message>
        <source>Moves the end of the selected range to the next start or end of an event; selects a range if there is none</source>
        <translation>把所选范围的终点移到下一个事件的起点或终点；没有范围时先选出一个</translation>
    </message>
    <message>
        <source>Move range en&amp;d back</source>
        <translation>范围终点移到前一个边缘(&amp;D)</translation>
    </message>
    <message>
        <source>Moves the end of the selected range back to the previous start or end of an event</source>
        <translation>把所选范围的终点移回到前一个事件的起点或终点</translation>
    </message>
    <message>
        <source>Move range &amp;start forward</source>
        <translation>范围起点移到下一个边缘(&amp;S)</translation>
    </message>
    <message>
        <source>Moves the start of the selected range to the next start or end of an event</source>
        <translation>把所选范围的起点移到下一个事件的起点或终点</translation>
    </message>
    <message>
        <source>Move range s&amp;tart back</source>
        <translation>范围起点移到前一个边缘(&amp;T)</translation>
    </message>
    <message>
        <source>Moves the start of the selected range back to the previous start or end of an event</source>
        <translation>把所选范围的起点移回到前一个事件的起点或终点</translation>
    </message>
    <message>
        <source>&amp;Fit all</source>
        <translation>显示全部(&amp;F)</translation>
    </message>
    <message>
        <source>Shows the recordings from start to end</source>
        <translation>从头到尾显示录制</translation>
    </message>
    <message>
        <source>Fo&amp;cus the selection</source>
        <translation>聚焦所选(&amp;C)</translation>
    </message>
    <message>
        <source>Centres the selection; again: zooms to it</source>
        <translation>将所选移到中间；再按一次则放大到它</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zooms in at the mouse, else in the middle</source>
        <translation>在鼠标处放大，否则在中间</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Zooms out at the mouse, else in the middle</source>
        <translation>在鼠标处缩小，否则在中间</translation>
    </message>
    <message>
        <source>Pan lef&amp;t</source>
        <translation>左移(&amp;T)</translation>
    </message>
    <message>
        <source>Moves towards the start</source>
        <translation>向开头移动</translation>
    </message>
    <message>
        <source>Pan r&amp;ight</source>
        <translation>右移(&amp;I)</translation>
    </message>
    <message>
        <source>Moves towards the end</source>
        <translation>向结尾移动</translation>
    </message>
    <message>
        <source>La&amp;nes up</source>
        <translation>泳道上移(&amp;N)</translation>
    </message>
    <message>
        <source>Scrolls the lanes</source>
        <translation>滚动泳道</translation>
    </message>
    <message>
        <source>Lanes d&amp;own</source>
        <translation>泳道下移(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Zoom to the range</source>
        <translation>缩放到范围(&amp;Z)</translation>
    </message>
    <message>
        <source>Shows only the selected time range</source>
        <translation>只显示所选的时间范围</translation>
    </message>
    <message>
        <source>&amp;Previous view</source>
        <translation>上一视图(&amp;P)</translation>
    </message>
    <message>
        <source>Goes back to what was shown before the last jump or zoom</source>
        <translation>回到上次跳转或缩放之前的视图</translation>
    </message>
    <message>
        <source>Ne&amp;xt view</source>
        <translation>后一个视图(&amp;X)</translation>
    </message>
    <message>
        <source>Goes forward to the view before going back</source>
        <translation>前进到后退之前的视图</translation>
    </message>
    <message>
        <source>&amp;All arrows</source>
        <translation>所有箭头(&amp;A)</translation>
    </message>
    <message>
        <source>Shows the links of everything in view, not only of the selection</source>
        <translation>为可见的所有事件显示彼此的关联，而不只是所选事件</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>固定(&amp;P)</translation>
    </message>
    <message>
        <source>Keeps the lane at the top while the others scroll; again: unpins it</source>
        <translation>其他泳道滚动时让它留在顶部；再按一次取消固定</translation>
    </message>
    <message>
        <source>&amp;Collapse</source>
        <translation>折叠(&amp;C)</translation>
    </message>
    <message>
        <source>Makes the lane one thin row, or all lanes of a GPU; again: expands it</source>
        <translation>把泳道（或一个 GPU 的所有泳道）变成一条细行；再按一次展开</translation>
    </message>
    <message>
        <source>All d&amp;epths of the stack</source>
        <translation>显示调用栈的全部层(&amp;E)</translation>
    </message>
    <message>
        <source>Shows every frame of the thread&apos;s stack; again: folds it to the outermost, the module and two operators</source>
        <translation>显示线程调用栈的每一帧；再按一次折叠为最外层、模块和两层算子</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>隐藏(&amp;H)</translation>
    </message>
    <message>
        <source>Hides the lane until hidden lanes are shown again</source>
        <translation>隐藏泳道，直到再次显示隐藏的泳道</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Moves the lane above the previous one</source>
        <translation>把泳道移到上一条之前</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Moves the lane below the next one</source>
        <translation>把泳道移到下一条之后</translation>
    </message>
    <message>
        <source>&amp;Group by engine</source>
        <translation>按引擎分组(&amp;G)</translation>
    </message>
    <message>
        <source>One lane for each copy engine and the SMs of a GPU; again: one for each stream</source>
        <translation>GPU 的每个拷贝引擎和 SM 各一条泳道；再按一次每个流一条</translation>
    </message>
    <message>
        <source>&amp;Filter…</source>
        <translation>筛选(&amp;F)…</translation>
    </message>
    <message>
        <source>Shows only the events that match: by name, kind, stream, thread, length</source>
        <translation>只显示匹配的事件：按名称、种类、流、线程、时长</translation>
    </message>
    <message>
        <source>C&amp;lear the filter</source>
        <translation>清除筛选(&amp;L)</translation>
    </message>
    <message>
        <source>Shows all events again</source>
        <translation>重新显示所有事件</translation>
    </message>
    <message>
        <source>Collapse or expand &amp;all</source>
        <translation>全部折叠或展开(&amp;A)</translation>
    </message>
    <message>
        <source>Makes every lane one thin row; expands them if all are</source>
        <translation>把每条泳道变成一条细行；若已全部如此则展开</translation>
    </message>
    <message>
        <source>&amp;Show the hidden lanes</source>
        <translation>显示隐藏的泳道(&amp;S)</translation>
    </message>
    <message>
        <source>Shows the lanes that were hidden</source>
        <translation>显示被隐藏的泳道</translation>
    </message>
    <message>
        <source>&amp;Reset the lanes</source>
        <translation>重置泳道(&amp;R)</translation>
    </message>
    <message>
        <source>Shows all lanes as they were recorded: none hidden, pinned, collapsed or moved</source>
        <translation>按录制时的样子显示所有泳道：不隐藏、不固定、不折叠、不移动</translation>
    </message>
    <message>
        <source>&amp;Next in the lane</source>
        <translation>泳道中下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Selects the next event of the lane; the first in view if nothing is selected</source>
        <translation>选择泳道中的下一个事件；未选中时选视图中的第一个</translation>
    </message>
    <message>
        <source>&amp;Previous in the lane</source>
        <translation>泳道中上一个(&amp;P)</translation>
    </message>
    <message>
        <source>Selects the previous event in the lane</source>
        <translation>选择泳道中的前一个事件</translation>
    </message>
    <message>
        <source>To the &amp;cause</source>
        <translation>到原因(&amp;C)</translation>
    </message>
    <message>
        <source>One step back: to what the selection waited for last, or to the API call that issued it</source>
        <translation>后退一步：到所选项最后等待的对象，或到发起它的 API 调用</translation>
    </message>
    <message>
        <source>Ne&amp;xt hit</source>
        <translation>下一个结果(&amp;X)</translation>
    </message>
    <message>
        <source>Selects the next event that the search found</source>
        <translation>选择搜索找到的下一个事件</translation>
    </message>
    <message>
        <source>P&amp;revious hit</source>
        <translation>上一个结果(&amp;R)</translation>
    </message>
    <message>
        <source>Selects the previous event that the search found</source>
        <translation>选择搜索找到的上一个事件</translation>
    </message>
    <message>
        <source>Set a &amp;mark</source>
        <translation>设置标记(&amp;M)</translation>
    </message>
    <message>
        <source>Marks the time at the mouse, or the selection&apos;s start, with a text</source>
        <translation>在鼠标处或所选事件的起点设置带文字的标记</translation>
    </message>
    <message>
        <source>Next m&amp;ark</source>
        <translation>下一个标记(&amp;A)</translation>
    </message>
    <message>
        <source>Shows the next mark</source>
        <translation>显示下一个标记</translation>
    </message>
    <message>
        <source>Pre&amp;vious mark</source>
        <translation>上一个标记(&amp;V)</translation>
    </message>
    <message>
        <source>Shows the previous mark</source>
        <translation>显示上一个标记</translation>
    </message>
    <message>
        <source>Chain of causes</source>
        <translation>原因链</translation>
    </message>
    <message>
        <source>Shows what the selection waited for, what that waited for, and so on; [ follows it step by step</source>
        <translation>画出所选对象等待了什么、后者又等待了什么，依此类推；按 [ 逐步沿着它走</translation>
    </message>
    <message>
        <source>Critical pat&amp;h</source>
        <translation>关键路径(&amp;H)</translation>
    </message>
    <message>
        <source>Wh&amp;y streams are idle</source>
        <translation>流为何空闲(&amp;Y)</translation>
    </message>
    <message>
        <source>A bar at the foot of each stream&apos;s lane shows what delayed its next operation, by colour and pattern</source>
        <translation>每个流的泳道底部有一条：用颜色和图案表示是什么推迟了下一个操作</translation>
    </message>
    <message>
        <source>GPUs abo&amp;ve the CPU</source>
        <translation>GPU 在 CPU 上方(&amp;V)</translation>
    </message>
    <message>
        <source>Shows the lanes of the GPUs first, as in recordings of programs; again: the threads first, as in lessons</source>
        <translation>先显示 GPU 的泳道，如程序的录制；再按一次先显示线程，如课程</translation>
    </message>
    <message>
        <source>T&amp;o the effect</source>
        <translation>到结果(&amp;O)</translation>
    </message>
    <message>
        <source>From an API call to the operation it issued or that released it; from an operation to what it allowed to begin</source>
        <translation>从 API 调用转到它发出的操作，或使它得以返回的操作；从操作转到因它而得以开始的操作</translation>
    </message>
    <message>
        <source>Outlines the chain that determined the length of the scope: from its end back through what each step waited for last</source>
        <translation>标出决定当前范围总时间的部分：从其结束处往回，沿着每一步最后等待的东西</translation>
    </message>
    <message>
        <source>Co&amp;lours by family</source>
        <translation>按类别着色(&amp;L)</translation>
    </message>
    <message>
        <source>Kernels have the colour of what they are for: matmul, attention, communication, …; again: one colour for all, as in lessons</source>
        <translation>内核的颜色表示其用途：矩阵乘、注意力、通信……；再按一次所有内核同色，如课程</translation>
    </message>
</context>
<context>
    <name>LaneFigure</name>
    <message>
        <source>%1 busy: side by side %2, compute alone %3, exposed %4 of %5</source>
        <translation>忙碌 %1：%5 中并行 %2，仅计算 %3，未隐藏 %4</translation>
    </message>
    <message>
        <source>the selected %1</source>
        <translation>所选的 %1</translation>
    </message>
    <message>
        <source>the visible %1</source>
        <translation>可见的 %1</translation>
    </message>
    <message>
        <source>%1: two or more streams busy for %2 of %3</source>
        <translation>%1：%3 中有 %2 至少两个流同时忙碌</translation>
    </message>
    <message>
        <source>%1: busy for %2 of %3</source>
        <translation>%1：%3 中有 %2 忙碌</translation>
    </message>
    <message>
        <source>%1 (filtered events only)</source>
        <translation>%1（只计筛选后显示的事件）</translation>
    </message>
    <message>
        <source>%1 to %2 in %3</source>
        <translation>%3 内为 %1 到 %2</translation>
    </message>
    <message>
        <source>%1: held for %2 of %3, which costs %4; waited for a GPU for %5</source>
        <translation>%1：%3 内被阻塞 %2，代价 %4；等待 GPU 共 %5</translation>
    </message>
    <message>
        <source>%1: waited for a GPU for %2 of %3, which costs nothing</source>
        <translation>%1：%3 内等待 GPU %2，没有代价</translation>
    </message>
    <message>
        <source>the %1 that repeat</source>
        <translation>重复的 %1</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
</context>
<context>
    <name>LaneLabels</name>
    <message>
        <source>1 lane hidden: show</source>
        <translation>隐藏了 1 条泳道：显示</translation>
    </message>
    <message>
        <source>%1 lanes hidden: show</source>
        <translation>隐藏了 %1 条泳道：显示</translation>
    </message>
</context>
<context>
    <name>LaneNames</name>
    <message>
        <source>copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>%1 · stream %2</source>
        <translation>%1 · 流 %2</translation>
    </message>
    <message>
        <source>+ %1 streams</source>
        <translation>+ %1 个流</translation>
    </message>
    <message>
        <source>&lt; 1 % busy</source>
        <translation>忙碌 &lt; 1%</translation>
    </message>
    <message>
        <source>&lt; 1 % busy in the repeating part</source>
        <translation>重复部分中忙碌 &lt; 1%</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>issue no GPU work</source>
        <translation>不发出 GPU 工作</translation>
    </message>
    <message>
        <source>issue no GPU work in the repeating part</source>
        <translation>重复部分中不发出 GPU 工作</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>compute and copy</source>
        <translation>计算与拷贝</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>communication and copy</source>
        <translation>通信与拷贝</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>copy to the GPU</source>
        <translation>拷贝到 GPU</translation>
    </message>
    <message>
        <source>copy to the host</source>
        <translation>拷贝到主机</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>memset</source>
        <translation>memset</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>CPU  main thread</source>
        <translation>CPU  主线程</translation>
    </message>
    <message>
        <source>CPU  thread %1</source>
        <translation>CPU  线程 %1</translation>
    </message>
    <message>
        <source>CPU  %1</source>
        <translation>CPU  %1</translation>
    </message>
    <message>
        <source>modelled thread</source>
        <translation>模型线程</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>stream %1 · %2</source>
        <translation>流 %1 · %2</translation>
    </message>
    <message>
        <source>default · %1</source>
        <translation>默认 · %1</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>SMs</source>
        <translation>SM</translation>
    </message>
    <message>
        <source>H2D copy engine</source>
        <translation>H2D 拷贝引擎</translation>
    </message>
    <message>
        <source>D2H copy engine</source>
        <translation>D2H 拷贝引擎</translation>
    </message>
    <message>
        <source>P2P copies</source>
        <translation>P2P 拷贝</translation>
    </message>
    <message>
        <source>D2D copies</source>
        <translation>D2D 拷贝</translation>
    </message>
    <message>
        <source>H2H copies</source>
        <translation>H2H 拷贝</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>from %1 streams</source>
        <translation>来自 %1 个流</translation>
    </message>
    <message>
        <source>always %1</source>
        <translation>始终为 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>CPU  autograd</source>
        <translation>CPU  autograd</translation>
    </message>
    <message>
        <source>CPU  main</source>
        <translation>CPU  主线程</translation>
    </message>
</context>
<context>
    <name>LanePills</name>
    <message>
        <source>%1 busy</source>
        <translation>忙碌 %1</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>最高 %1</translation>
    </message>
    <message>
        <source>%1 held</source>
        <translation>阻塞 %1</translation>
    </message>
    <message>
        <source>waits %1</source>
        <translation>等待 %1</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>内存不足，无法完成。</translation>
    </message>
    <message>
        <source>It failed for an unknown reason.</source>
        <translation>因未知原因失败。</translation>
    </message>
</context>
<context>
    <name>LegendEntries</name>
    <message>
        <source>staged copy</source>
        <translation>分段拷贝</translation>
    </message>
    <message>
        <source>A copy of pageable memory, which moves in pieces: filled for the share of time in which bytes move</source>
        <translation>可分页内存的拷贝，分段进行：填充部分为数据实际移动的时间占比</translation>
    </message>
    <message>
        <source>Under communication and copies: the part of them in which no kernel computes on that GPU; of several GPUs the mean</source>
        <translation>在通信与拷贝之下：该 GPU 上没有内核在计算的部分；多个 GPU 时为平均值</translation>
    </message>
    <message>
        <source>A function that runs on the GPU</source>
        <translation>在 GPU 上运行的函数</translation>
    </message>
    <message>
        <source>A kernel that exchanges data with other GPUs, such as those of NCCL</source>
        <translation>与其他 GPU 交换数据的内核，例如 NCCL 的内核</translation>
    </message>
    <message>
        <source>A copy from the host&apos;s memory to the GPU</source>
        <translation>从主机内存到 GPU 的拷贝</translation>
    </message>
    <message>
        <source>A copy from the GPU to the host&apos;s memory</source>
        <translation>从 GPU 到主机内存的拷贝</translation>
    </message>
    <message>
        <source>A copy within a GPU&apos;s memory</source>
        <translation>GPU 内存之内的拷贝</translation>
    </message>
    <message>
        <source>A copy from one GPU to another</source>
        <translation>从一块 GPU 到另一块 GPU 的拷贝</translation>
    </message>
    <message>
        <source>A copy within the host&apos;s memory</source>
        <translation>主机内存之内的拷贝</translation>
    </message>
    <message>
        <source>The GPU fills memory with a value</source>
        <translation>GPU 用一个值填充内存</translation>
    </message>
    <message>
        <source>A CPU thread is in a call of the CUDA library</source>
        <translation>CPU 线程正在 CUDA 库的调用中</translation>
    </message>
    <message>
        <source>A part of the program that it names, for example with NVTX</source>
        <translation>程序自己（例如通过 NVTX）命名的一段</translation>
    </message>
    <message>
        <source>A thread is in an operator of PyTorch; paler: in one that another one calls</source>
        <translation>一个线程在执行 PyTorch 算子；颜色更浅：由另一个算子调用的算子</translation>
    </message>
    <message>
        <source>The CPU computes or copies</source>
        <translation>CPU 在计算或拷贝</translation>
    </message>
    <message>
        <source>A thread waits for another thread; under the ribbon, the first thread does</source>
        <translation>一个线程等待另一个线程；在重叠带下方指第一个线程</translation>
    </message>
    <message>
        <source>The CPU reads a result</source>
        <translation>CPU 读取结果</translation>
    </message>
    <message>
        <source>The CPU read bytes that were not those of the result</source>
        <translation>CPU 读到的字节不是结果应有的内容</translation>
    </message>
    <message>
        <source>Overlap ribbon: exactly one stream is busy</source>
        <translation>重叠带：只有一个流在忙</translation>
    </message>
    <message>
        <source>Overlap ribbon: two streams are busy at the same time</source>
        <translation>重叠带：两个流同时在忙</translation>
    </message>
    <message>
        <source>Overlap ribbon: three or more streams are busy at the same time</source>
        <translation>重叠带：三个或更多的流同时在忙</translation>
    </message>
    <message>
        <source>A thread waits in a call until GPU work is done, and what it does next could have begun earlier; under the ribbon, the first thread</source>
        <translation>线程在调用中等待 GPU 工作完成，而它接下来要做的本可更早开始；在重叠带下方表示第一个线程</translation>
    </message>
    <message>
        <source>A thread waits in a call until GPU work is done, and loses nothing: it needs the result, or the GPU is busy anyway; under the ribbon, the first thread</source>
        <translation>线程在调用中等待 GPU 工作完成，但没有损失：它需要结果，或者 GPU 反正在忙；在重叠带下方表示第一个线程</translation>
    </message>
    <message>
        <source>A thread waits in a call until GPU work is done; what that costs is not recorded</source>
        <translation>线程在调用中等待 GPU 工作完成；代价未记录</translation>
    </message>
    <message>
        <source>Kernels of attention, of its caches, and of state spaces</source>
        <translation>注意力及其缓存、状态空间的内核</translation>
    </message>
    <message>
        <source>Kernels that multiply matrices</source>
        <translation>矩阵乘法的内核</translation>
    </message>
    <message>
        <source>Kernels of convolutions</source>
        <translation>卷积的内核</translation>
    </message>
    <message>
        <source>Kernels of norms, softmax and other reductions</source>
        <translation>归一化、softmax 及其他归约的内核</translation>
    </message>
    <message>
        <source>Kernels of the optimizer's step</source>
        <translation>优化器更新参数的内核</translation>
    </message>
    <message>
        <source>Kernels that gather, scatter, sort or look up</source>
        <translation>收集、散布、排序或查表的内核</translation>
    </message>
    <message>
        <source>Kernels that compute element by element, or convert numbers</source>
        <translation>逐元素计算或转换数值类型的内核</translation>
    </message>
    <message>
        <source>Kernels whose names say nothing of what they are for</source>
        <translation>从名称看不出用途的内核</translation>
    </message>
</context>
<context>
    <name>LessonsSite</name>
    <message>
        <source>%1: Lanescope has no recording of it; it is shown as the model device runs it</source>
        <translation>%1：Lanescope 没有附带它的录制，改为显示在模型设备上的运行</translation>
    </message>
    <message>
        <source>%1 cannot be replaced</source>
        <translation>无法替换 %1</translation>
    </message>
    <message>
        <source>--lessons %1: expected a folder, new or empty</source>
        <translation>--lessons %1：应为新文件夹或空文件夹</translation>
    </message>
    <message>
        <source>--lessons %1: the folder has other content; expected a new or empty folder, or one written by this command</source>
        <translation>--lessons %1：其中有别的内容；应为新文件夹、空文件夹，或此命令写成的文件夹</translation>
    </message>
</context>
<context>
    <name>OverviewStrip</name>
    <message>
        <source>overview</source>
        <translation>总览</translation>
    </message>
</context>
<context>
    <name>PageColumns</name>
    <message>
        <source>wrong: %1 of %2</source>
        <translation>有误：%2 中的 %1</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>有误</translation>
    </message>
    <message>
        <source>grid %1, block %2</source>
        <translation>网格 %1，线程块 %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
</context>
<context>
    <name>PageFacts</name>
    <message>
        <source>Total</source>
        <translation>总时间</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>Overlap of streams</source>
        <translation>流的重叠</translation>
    </message>
    <message>
        <source>CPU free while a GPU is busy</source>
        <translation>GPU 忙时 CPU 空闲</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copies hidden behind kernels</source>
        <translation>被内核隐藏的拷贝</translation>
    </message>
    <message>
        <source>Copies exposed</source>
        <translation>未被隐藏的拷贝</translation>
    </message>
    <message>
        <source>Number of kernels</source>
        <translation>内核数</translation>
    </message>
    <message>
        <source>Number of copies</source>
        <translation>拷贝次数</translation>
    </message>
    <message>
        <source>Number of API calls</source>
        <translation>API 调用次数</translation>
    </message>
    <message>
        <source>Bytes read that were wrong</source>
        <translation>读到的错误字节</translation>
    </message>
    <message>
        <source>First CPU thread waits for a GPU</source>
        <translation>第一个 CPU 线程等待 GPU</translation>
    </message>
    <message>
        <source>Its waits cost</source>
        <translation>其等待的代价</translation>
    </message>
</context>
<context>
    <name>Picture</name>
    <message>
        <source>found a picture of %1 x %2 pixels, expected at most %3 per side</source>
        <translation>图片有 %1 x %2 像素，每边最多 %3</translation>
    </message>
    <message>
        <source>not enough memory for a picture of %1 x %2 pixels</source>
        <translation>内存不足，无法生成 %1 x %2 像素的图片</translation>
    </message>
    <message>
        <source>there is no recording to draw</source>
        <translation>没有可绘制的录制</translation>
    </message>
    <message>
        <source>the picture cannot be written as PNG</source>
        <translation>图片无法写成 PNG</translation>
    </message>
</context>
<context>
    <name>PicturePage</name>
    <message>
        <source>+1 lane</source>
        <translation>另有 1 条泳道</translation>
    </message>
    <message>
        <source>+%1 lanes</source>
        <translation>另有 %1 条泳道</translation>
    </message>
    <message>
        <source>1 more lane is not visible</source>
        <translation>另有 1 条泳道不可见</translation>
    </message>
    <message>
        <source>%1 more lanes are not visible</source>
        <translation>另有 %1 条泳道不可见</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>staged copy: filled while bytes move</source>
        <translation>分段拷贝：字节移动时填充</translation>
    </message>
    <message>
        <source>whole recordings</source>
        <translation>整个录制</translation>
    </message>
</context>
<context>
    <name>RangeFigures</name>
    <message>
        <source>ΔT %1</source>
        <translation>ΔT %1</translation>
    </message>
    <message>
        <source> · GPU busy %1 · overlap %2</source>
        <translation> · GPU 忙碌 %1 · 重叠 %2</translation>
    </message>
    <message>
        <source>%1 %2 at %3</source>
        <translation>%1 %2，%3</translation>
    </message>
    <message>
        <source>%1 of other copies</source>
        <translation>其他拷贝 %1</translation>
    </message>
    <message>
        <source>1 kernel</source>
        <translation>1 个内核</translation>
    </message>
    <message>
        <source>%L1 kernels</source>
        <translation>%L1 个内核</translation>
    </message>
    <message>
        <source>1 copy</source>
        <translation>1 次拷贝</translation>
    </message>
    <message>
        <source>%L1 copies</source>
        <translation>%L1 次拷贝</translation>
    </message>
    <message>
        <source>1 memset</source>
        <translation>1 次 memset</translation>
    </message>
    <message>
        <source>%L1 memsets</source>
        <translation>%L1 次 memset</translation>
    </message>
    <message>
        <source> · CPU waits %1</source>
        <translation> · CPU 等待 %1</translation>
    </message>
    <message>
        <source>, costs %1</source>
        <translation>，代价 %1</translation>
    </message>
    <message>
        <source>, costs nothing</source>
        <translation>，没有代价</translation>
    </message>
</context>
<context>
    <name>ProblemText</name>
    <message>
        <source>%1 is not there. Check whether it was moved, renamed or deleted.</source>
        <translation>找不到 %1。请检查它是否已被移动、改名或删除。</translation>
    </message>
    <message>
        <source>%1 is not accessible: you lack the permission. Change it, or choose another folder.</source>
        <translation>无法访问 %1：没有权限。请修改权限，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>There is no room for %1: the disk is full.</source>
        <translation>没有空间保存 %1：磁盘已满。</translation>
    </message>
    <message>
        <source>%1 is a folder. Choose a file in it.</source>
        <translation>%1 是文件夹。请选择其中的文件。</translation>
    </message>
    <message>
        <source>%1 has a mistake in line %2. Correct the text there.</source>
        <translation>%1 的第 %2 行有错误。请在该处改正。</translation>
    </message>
    <message>
        <source>%1 is empty. Record again, or copy the file again.</source>
        <translation>%1 是空文件。请重新录制，或重新复制该文件。</translation>
    </message>
    <message>
        <source>%1 is not a file that Lanescope can open. What can be opened: %2.</source>
        <translation>%1 不是 Lanescope 可以打开的文件。可以打开的有：%2。</translation>
    </message>
    <message>
        <source>%1 is a database of rocprofv3 (rocpd). rocpd convert -i %1 -f pftrace makes a file that can be opened.</source>
        <translation>%1 是 rocprofv3 的数据库（rocpd）。用 rocpd convert -i %1 -f pftrace 可转换成能打开的文件。</translation>
    </message>
    <message>
        <source>%1 is damaged or was cut short: SQLite cannot read it. Copy or export it again.</source>
        <translation>%1 已损坏或不完整：SQLite 无法读取。请重新复制或重新导出。</translation>
    </message>
    <message>
        <source>%1 cannot be read in line %2, column %3. Copy or export it again.</source>
        <translation>%1 的第 %2 行第 %3 列无法读取。请重新复制或重新导出。</translation>
    </message>
    <message>
        <source>%1 is no recording that can be opened, or it is damaged. What can be opened: %2.</source>
        <translation>%1 不是可以打开的录制，或者已损坏。可以打开的有：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be opened.</source>
        <translation>无法打开 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be saved.</source>
        <translation>无法保存 %1。</translation>
    </message>
    <message>
        <source>%1: no such file</source>
        <translation>%1：没有此文件</translation>
    </message>
    <message>
        <source>%1: a file whose name is not UTF-8 cannot be opened; rename it, or open a link to it</source>
        <translation>%1：文件名不是 UTF-8，无法打开；请重命名，或打开指向它的链接</translation>
    </message>
</context>
<context>
    <name>RenderCommand</name>
    <message>
        <source>--%1 is for pictures (.png, .svg, .pdf); a page (.html) takes --title, --theme, --range, --lanes, --filter, --annotations and --lang</source>
        <translation>--%1 只用于图片（.png、.svg、.pdf）；页面（.html）可用 --title、--theme、--range、--lanes、--filter、--annotations 和 --lang</translation>
    </message>
    <message>
        <source>--theme: found &quot;print&quot;, expected light or dark: a page uses print colours when it is printed</source>
        <translation>--theme：得到“print”，应为 light 或 dark：页面在打印时会自动换成适合打印的配色</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;; see lanescope render --help</source>
        <translation>未知选项“%1”；lanescope render --help 列出所有选项</translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;; did you mean &apos;%2&apos;?</source>
        <translation>未知选项“%1”；是不是“%2”？</translation>
    </message>
    <message>
        <source>%1 takes no value</source>
        <translation>%1 不带值</translation>
    </message>
    <message>
        <source>%1: found nothing, expected %2</source>
        <translation>%1：后面没有值，应为 %2</translation>
    </message>
    <message>
        <source>%1: found &quot;%2&quot;, which is no value, expected %3</source>
        <translation>%1：得到“%2”，这不是值，应为 %3</translation>
    </message>
    <message>
        <source>found %L1 events, a page holds at most %L2: take a part of the time (lanes convert FILE PART --range A:B), leave some out, for example with --filter &quot;kind:kernel dur&gt;100us&quot;, or make a picture (.png, .svg, .pdf), which has no limit</source>
        <translation>共有 %L1 个事件，页面最多容纳 %L2 个：请只取一段时间（lanes convert FILE PART --range A:B），去掉一部分，例如 --filter &quot;kind:kernel dur&gt;100us&quot;，或改为生成图片（.png、.svg、.pdf），图片不限数量</translation>
    </message>
    <message>
        <source>--size: found &quot;%1&quot;, expected WIDTHxHEIGHT in pixels such as 1920x1080 (either may be left out: 1920x), or a size on paper such as 85mm, 170x100mm, 3.3in, 240pt</source>
        <translation>--size：写的是“%1”，应为像素的 宽x高，例如 1920x1080（可省略其一，如 1920x），或纸上的尺寸，例如 85mm、170x100mm、3.3in、240pt</translation>
    </message>
    <message>
        <source>--size: found &quot;%1&quot;, expected %2x%3mm or more</source>
        <translation>--size：写的是“%1”，至少应为 %2x%3mm</translation>
    </message>
    <message>
        <source>--preset: found &quot;%1&quot;, expected slide, column, page or poster</source>
        <translation>--preset：写的是“%1”，应为 slide、column、page 或 poster</translation>
    </message>
    <message>
        <source>--dpi: found &quot;%1&quot;, expected a number from 36 to 2400</source>
        <translation>--dpi：写的是“%1”，应为 36 到 2400 之间的数</translation>
    </message>
    <message>
        <source>--svg-text: found &quot;%1&quot;, expected text, outlines or embedded</source>
        <translation>--svg-text：写的是“%1”，应为 text、outlines 或 embedded</translation>
    </message>
    <message>
        <source>--scale and --dpi exclude each other: give only one</source>
        <translation>--scale 与 --dpi 不能同时使用：只给其一</translation>
    </message>
    <message>
        <source>%1 is an input itself; choose another name for OUT</source>
        <translation>%1 本身就是输入文件；请为 OUT 另取一个名字</translation>
    </message>
    <message>
        <source>--range: found &quot;&quot;, expected a value</source>
        <translation>--range：写的是“”，应有一个值</translation>
    </message>
    <message>
        <source>--range and --all exclude each other: give only one</source>
        <translation>--range 与 --all 不能同时使用：只给其一</translation>
    </message>
    <message>
        <source>--annotations: %1: no such file</source>
        <translation>--annotations：%1：没有这个文件</translation>
    </message>
    <message>
        <source>--annotations: %1 is no file</source>
        <translation>--annotations：%1 不是文件</translation>
    </message>
    <message>
        <source>--annotations: %1 is larger than 1 MiB</source>
        <translation>--annotations：%1 超过 1 MiB</translation>
    </message>
    <message>
        <source>size, layout and resolution for a slide (16:9, text of 18 pt or more), a column (85 mm), a page (170 mm) or a poster (800 mm)</source>
        <translation>slide（16:9，文字不小于 18 磅）、column（85 mm 单栏）、page（170 mm 通栏）或 poster（800 mm 海报）：相应的尺寸、版式和分辨率</translation>
    </message>
    <message>
        <source>logical pixels, or mm, cm, in or pt on paper: 85mm, 170x100mm; 1920x or x600 gives one of the two (default: 1600 pixels wide, as high as the lanes need)</source>
        <translation>逻辑像素，或以 mm、cm、in、pt 给出纸上的尺寸：85mm、170x100mm；不给时宽 1600 像素，高按泳道所需；1920x 或 x600 只给其一</translation>
    </message>
    <message>
        <source>dots per inch of a PNG with a size on paper (default: 300)</source>
        <translation>尺寸按纸上给出时 PNG 每英寸的点数；不给时为 300</translation>
    </message>
    <message>
        <source>text in SVG: text (needs the font Inter to be installed), outlines (shapes) or embedded (shapes with invisible text over them; the default)</source>
        <translation>SVG 中的文字：text（就是文字，打开处须有 Inter 字体）、outlines（轮廓）或 embedded（内嵌用到的字形，其上另有看不见的文字，可搜索和复制；默认）</translation>
    </message>
    <message>
        <source>texts, brackets, arrows and frames to draw over the lanes: a YAML file saved by the window</source>
        <translation>画在泳道上的文字、区间、箭头和框，YAML 文件，即窗口所存的那种</translation>
    </message>
    <message>
        <source>--scale: found &quot;%1&quot;, expected a number from 0.25 to %2</source>
        <translation>--scale：写的是“%1”，应为 0.25 到 %2 之间的数</translation>
    </message>
    <message>
        <source>Draws one or two recordings to a picture file.</source>
        <translation>把一个或两个录制画成图片文件。</translation>
    </message>
    <message>
        <source>a recording</source>
        <translation>一个录制</translation>
    </message>
    <message>
        <source>another recording, drawn below on the same time scale</source>
        <translation>另一个录制，以同一时间轴画在下方</translation>
    </message>
    <message>
        <source>the picture; the ending gives the format (.png, .svg, .pdf, .html); an HTML file can be zoomed and measured in any browser</source>
        <translation>图片文件；格式由后缀（.png、.svg、.pdf、.html）决定；HTML 文件可在任何浏览器中缩放和测量</translation>
    </message>
    <message>
        <source>write all lessons as HTML pages with an index to DIR, which must be new, empty or written by this option</source>
        <translation>把所有课程写成 HTML 页面，连同目录页放入 DIR；DIR 须是新文件夹、空文件夹或此前写成的这种文件夹</translation>
    </message>
    <message>
        <source>the lessons were not found</source>
        <translation>没有找到课程</translation>
    </message>
    <message>
        <source>the time to show, for example 2ms:5.5ms, or steady: the part that repeats</source>
        <translation>要显示的时间段，例如 2ms:5.5ms；steady 为重复的部分</translation>
    </message>
    <message>
        <source>title of the picture (default: the workload&apos;s)</source>
        <translation>图片上方的标题；不给时用工作负载的标题</translation>
    </message>
    <message>
        <source>leave out the title</source>
        <translation>不要标题</translation>
    </message>
    <message>
        <source>print this help</source>
        <translation>显示本说明</translation>
    </message>
    <message>
        <source>expected one or two recordings, found %1</source>
        <translation>应给出一个或两个录制，现有 %1 个</translation>
    </message>
    <message>
        <source>-o OUT is missing: expected the file to write</source>
        <translation>缺少 -o OUT：图片写到哪里？</translation>
    </message>
    <message>
        <source>%1: unknown ending, expected .png, .svg, .pdf or .html</source>
        <translation>%1：格式由后缀决定，应为 .png、.svg、.pdf 或 .html</translation>
    </message>
    <message>
        <source>--theme: found &quot;%1&quot;, expected light, dark or print</source>
        <translation>--theme：写的是“%1”，应为 light、dark 或 print</translation>
    </message>
    <message>
        <source>--time-scale: found &quot;%1&quot;, expected ruler, bar or none</source>
        <translation>--time-scale：写的是“%1”，应为 ruler、bar 或 none</translation>
    </message>
    <message>
        <source>for PNG, device pixels per logical pixel: 2 for a high-resolution screen, 4 for paper</source>
        <translation>PNG 中每个逻辑像素的像素数：高清屏用 2，纸张用 4</translation>
    </message>
    <message>
        <source>light, dark or print (readable in grey)</source>
        <translation>light（浅色）、dark（深色）或 print（灰度下可读）</translation>
    </message>
    <message>
        <source>ruler (above the lanes, with a grid), bar (of a known length, below them) or none</source>
        <translation>ruler（泳道上方的刻度和网格）、bar（下方一段已知长度的比例尺）或 none（没有）</translation>
    </message>
    <message>
        <source>leave out name and verdict of each recording</source>
        <translation>不在各录制上方显示名称和结论</translation>
    </message>
    <message>
        <source>leave out the busy figure of each lane</source>
        <translation>不在泳道旁显示忙碌程度</translation>
    </message>
    <message>
        <source>leave out the legend</source>
        <translation>不要图例</translation>
    </message>
    <message>
        <source>leave out the source of the recordings</source>
        <translation>不注明录制的来源</translation>
    </message>
    <message>
        <source>with --range, leave out the overview strip</source>
        <translation>使用 --range 时，不显示所处位置的总览条</translation>
    </message>
    <message>
        <source>language of the texts in the picture: en or zh_CN</source>
        <translation>en 或 zh_CN，图片中文字的语言</translation>
    </message>
    <message>
        <source>the height has no room for %1 lane; --size %2x makes the picture high enough</source>
        <translation>高度放不下其中 %1 条泳道；--size %2x 会按所需高度绘制</translation>
    </message>
    <message>
        <source>the height has no room for %1 lanes; --size %2x makes the picture high enough</source>
        <translation>高度放不下其中 %1 条泳道；--size %2x 会按所需高度绘制</translation>
    </message>
    <message>
        <source>--lang: found &quot;%1&quot;, expected en or zh_CN</source>
        <translation>--lang：写的是“%1”，应为 en 或 zh_CN</translation>
    </message>
    <message>
        <source>--lanes: found &quot;%1&quot;, expected stream or engine</source>
        <translation>--lanes：写的是“%1”，应为 stream 或 engine</translation>
    </message>
    <message>
        <source>stream (one lane per stream) or engine (H2D copies, D2H copies and kernels of each GPU)</source>
        <translation>stream（每个流一条）或 engine（每个 GPU 的 H2D 拷贝、D2H 拷贝和内核各一条）</translation>
    </message>
    <message>
        <source>show only matching events, in the window&apos;s filter syntax: &quot;kind:copy dur&gt;1ms&quot;</source>
        <translation>只显示符合条件的事件，写法同窗口中的筛选：“kind:copy dur&gt;1ms”</translation>
    </message>
    <message>
        <source>leave out the differences between two recordings</source>
        <translation>不显示两个录制之间的差异</translation>
    </message>
    <message>
        <source>--size: found &quot;%1&quot;, expected 320x160 or more</source>
        <translation>--size：写的是“%1”，至少应为 320x160</translation>
    </message>
    <message>
        <source>--size: found %1x%2 at a scale of %3, expected at most %4 pixels per side and %5 million in total</source>
        <translation>--size：写的是 %1x%2，缩放 %3 倍；每边最多 %4 像素，总共最多 %5 百万像素</translation>
    </message>
    <message>
        <source>cannot write to standard output</source>
        <translation>无法写入标准输出</translation>
    </message>
    <message>
        <source>outline the critical path of the run, or of the shown range</source>
        <translation>标出运行（或所显示范围）的关键路径</translation>
    </message>
    <message>
        <source>show why streams are idle, as bars at the foot of their lanes</source>
        <translation>在流的泳道底部用条说明流为何空闲</translation>
    </message>
    <message>
        <source>%1 is missing, which has the texts of pictures; LANES_RESOURCES gives the folder of what comes with Lanescope</source>
        <translation>缺少 %1，其中有图片的文字；LANES_RESOURCES 可给出 Lanescope 自带文件的文件夹</translation>
    </message>
    <message>
        <source>show all of the time, even if a lesson highlights a part or a program repeats</source>
        <translation>画全部时间，即使课程本来只画其中一段，或程序有重复的部分</translation>
    </message>
    <message>
        <source>--lessons DIR: found &quot;%1&quot;, expected workloads of your own (.yaml)</source>
        <translation>--lessons DIR：出现了 "%1"，应为自己的工作负载（.yaml）</translation>
    </message>
    <message>
        <source>--lessons DIR takes workloads, --lang and nothing else, found --%1</source>
        <translation>--lessons DIR 只能与工作负载和 --lang 一起使用，出现了 --%1</translation>
    </message>
    <message>
        <source>--measure: found &quot;%1&quot;, expected waited, exposed, idle or step</source>
        <translation>--measure：得到“%1”，应为 waited、exposed、idle 或 step</translation>
    </message>
    <message>
        <source>a job of many ranks is drawn alone: it takes --title, --theme, --size, --scale, --measure, --all and --lang</source>
        <translation>多 rank 作业只能单独绘制：可用选项是 --title、--theme、--size、--scale、--measure、--all 和 --lang</translation>
    </message>
    <message>
        <source>--measure: found &quot;step&quot;, but the ranks of this job have no steps</source>
        <translation>--measure：得到“step”，但此作业的 rank 没有步</translation>
    </message>
    <message>
        <source>--measure is for jobs of many ranks (job.lanes)</source>
        <translation>--measure 只用于多 rank 作业（job.lanes）</translation>
    </message>
    <message>
        <source>of a job of many ranks (job.lanes), what its heat map shows</source>
        <translation>多 rank 作业（job.lanes）的热图显示什么</translation>
    </message>
</context>
<context>
    <name>Roles</name>
    <message>
        <source>side by side</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>compute alone</source>
        <translation>仅计算</translation>
    </message>
    <message>
        <source>exposed</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>copy H2D</source>
        <translation>拷贝 H2D</translation>
    </message>
    <message>
        <source>copy D2H</source>
        <translation>拷贝 D2H</translation>
    </message>
    <message>
        <source>copy D2D</source>
        <translation>拷贝 D2D</translation>
    </message>
    <message>
        <source>copy P2P</source>
        <translation>拷贝 P2P</translation>
    </message>
    <message>
        <source>copy H2H</source>
        <translation>拷贝 H2H</translation>
    </message>
    <message>
        <source>memset</source>
        <translation>memset</translation>
    </message>
    <message>
        <source>API call</source>
        <translation>API 调用</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>CPU work</source>
        <translation>CPU 工作</translation>
    </message>
    <message>
        <source>CPU waits for CPU</source>
        <translation>CPU 等待 CPU</translation>
    </message>
    <message>
        <source>host read</source>
        <translation>主机读取</translation>
    </message>
    <message>
        <source>wrong bytes read</source>
        <translation>读到错误的字节</translation>
    </message>
    <message>
        <source>one at a time</source>
        <translation>逐个执行</translation>
    </message>
    <message>
        <source>two at once</source>
        <translation>两项同时</translation>
    </message>
    <message>
        <source>three or more</source>
        <translation>三项或更多</translation>
    </message>
    <message>
        <source>CPU free</source>
        <translation>CPU 空闲</translation>
    </message>
    <message>
        <source>CPU at work</source>
        <translation>CPU 在工作</translation>
    </message>
    <message>
        <source>waits, costs time</source>
        <translation>等待（有代价）</translation>
    </message>
    <message>
        <source>waits, costs nothing</source>
        <translation>等待（无代价）</translation>
    </message>
    <message>
        <source>waits, cost not recorded</source>
        <translation>等待（代价未记录）</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>norm, reduction</source>
        <translation>归一化、归约</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>index, sort</source>
        <translation>索引、排序</translation>
    </message>
    <message>
        <source>elementwise, cast</source>
        <translation>逐元素、类型转换</translation>
    </message>
    <message>
        <source>other kernels</source>
        <translation>其他内核</translation>
    </message>
</context>
<context>
    <name>RunJobs</name>
    <message>
        <source>%1 on the model</source>
        <translation>%1（模型）</translation>
    </message>
    <message>
        <source>%1 on the GPU</source>
        <translation>%1（GPU）</translation>
    </message>
</context>
<context>
    <name>RunSteps</name>
    <message>
        <source>%1 reads %2: every byte is fresh</source>
        <translation>%1 读取 %2：每个字节都是新的</translation>
    </message>
    <message>
        <source>%1 reads %2: %3 of %4 are wrong</source>
        <translation>%1 读取 %2：%4 中有 %3 是错的</translation>
    </message>
    <message>
        <source>%1 enqueues %2 and waits until it is done: %3</source>
        <translation>%1 提交 %2 并等到它完成：%3</translation>
    </message>
    <message>
        <source>%1 %2: %3 (%4)</source>
        <translation>%1 %2：%3（%4）</translation>
    </message>
    <message>
        <source>%1 records an event</source>
        <translation>%1 记录一个事件</translation>
    </message>
    <message>
        <source>%1 records an event on %2</source>
        <translation>%1 在 %2 上记录一个事件</translation>
    </message>
    <message>
        <source>%1 makes a stream wait for an event, and continues</source>
        <translation>%1 让一个流等待事件，自己继续</translation>
    </message>
    <message>
        <source>%1 makes %2 wait for an event, and continues</source>
        <translation>%1 让 %2 等待事件，自己继续</translation>
    </message>
    <message>
        <source>%1 synchronises; the work is already done (%2)</source>
        <translation>%1 同步；所等的早已完成（%2）</translation>
    </message>
    <message>
        <source>%1 asks whether the GPU is done, and continues</source>
        <translation>%1 询问 GPU 是否完成，然后继续</translation>
    </message>
    <message>
        <source>%1 launches a graph, and continues</source>
        <translation>%1 启动一个图，然后继续</translation>
    </message>
    <message>
        <source>%1 allocates, frees or pins memory: %2 (%3)</source>
        <translation>%1 分配、释放或锁定内存：%2（%3）</translation>
    </message>
    <message>
        <source>%1 enqueues kernel %2 on %3, and continues</source>
        <translation>%1 把内核 %2 提交到 %3，然后继续</translation>
    </message>
    <message>
        <source>%1 enqueues %2 on %3, and continues</source>
        <translation>%1 把 %2 提交到 %3，然后继续</translation>
    </message>
    <message>
        <source>%1 calls %2 (%3)</source>
        <translation>%1 调用 %2（%3）</translation>
    </message>
    <message>
        <source>%1 works on the CPU: %2</source>
        <translation>%1 在 CPU 上工作：%2</translation>
    </message>
    <message>
        <source>%1 works on the CPU (%2): %3</source>
        <translation>%1 在 CPU 上工作（%2）：%3</translation>
    </message>
    <message>
        <source>%1 waits for room in queue %2: %3</source>
        <translation>%1 等待队列 %2 有空位：%3</translation>
    </message>
    <message>
        <source>%1 waits for an item in queue %2: %3</source>
        <translation>%1 等待队列 %2 有内容：%3</translation>
    </message>
    <message>
        <source>%1 waits for thread %2: %3</source>
        <translation>%1 等待线程 %2：%3</translation>
    </message>
    <message>
        <source>%1 begins kernel %2: %3</source>
        <translation>%1 开始内核 %2：%3</translation>
    </message>
    <message>
        <source>%1 begins %2: %3</source>
        <translation>%1 开始 %2：%3</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>a stream</source>
        <translation>某个流</translation>
    </message>
    <message>
        <source>%1 of GPU %2</source>
        <translation>GPU %2 的 %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>stream %1 of GPU %2</source>
        <translation>GPU %2 的流 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>RunTitles</name>
    <message>
        <source>variant %1</source>
        <translation>变体 %1</translation>
    </message>
</context>
<context>
    <name>RulerTicks</name>
    <message>
        <source>clocks ± %1</source>
        <translation>时钟 ± %1</translation>
    </message>
</context>
<context>
    <name>ScopeText</name>
    <message>
        <source>A %1, B %2</source>
        <translation>A %1，B %2</translation>
    </message>
    <message>
        <source>Repeating part</source>
        <translation>重复部分</translation>
    </message>
    <message>
        <source>Visible</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>所选范围</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>In the repeating part, %1</source>
        <translation>重复部分，%1</translation>
    </message>
    <message>
        <source>In view, %1</source>
        <translation>可见部分，%1</translation>
    </message>
    <message>
        <source>In the selection, %1</source>
        <translation>所选范围，%1</translation>
    </message>
    <message>
        <source>Of all, %1</source>
        <translation>全部，%1</translation>
    </message>
    <message>
        <source>In one iteration, %1</source>
        <translation>在一次迭代中，%1</translation>
    </message>
</context>
<context>
    <name>SpokenSelection</name>
    <message>
        <source>%1. Selected on %2: %3</source>
        <translation>%1。已在 %2 上选中：%3</translation>
    </message>
    <message>
        <source>%1. Selected: %2</source>
        <translation>%1。已选中：%2</translation>
    </message>
</context>
<context>
    <name>StackPath</name>
    <message>
        <source>all depths of the stack</source>
        <translation>调用栈的全部层</translation>
    </message>
    <message>
        <source>the stack is folded to %1 rows</source>
        <translation>调用栈已折叠为 %1 行</translation>
    </message>
    <message>
        <source>1 frame over the whole view, folded</source>
        <translation>1 个帧覆盖整个视图，已折叠</translation>
    </message>
    <message>
        <source>%1 frames over the whole view, folded</source>
        <translation>%1 个帧覆盖整个视图，已折叠</translation>
    </message>
    <message>
        <source>%1 frames over the whole view folded: %2</source>
        <translation>已折叠覆盖整个视图的 %1 个帧： %2</translation>
    </message>
</context>
<context>
    <name>StaleMark</name>
    <message>
        <source>%1 of %2 read wrong</source>
        <translation>读到的 %2 中有 %1 是错的</translation>
    </message>
    <message>
        <source>%1 wrong</source>
        <translation>%1 是错的</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>数据错误</translation>
    </message>
</context>
<context>
    <name>TimelineOverlay</name>
    <message>
        <source>of all events, not only those that the filter shows</source>
        <translation>针对所有事件，而不只是筛选后显示的事件</translation>
    </message>
    <message>
        <source>%L1 events in sight: zoom in to see their arrows</source>
        <translation>可见 %L1 个事件：放大以显示箭头</translation>
    </message>
</context>
<context>
    <name>TimelinePainter</name>
    <message>
        <source>waits for rank %1</source>
        <translation>等待 rank %1</translation>
    </message>
    <message>
        <source>%1 waits for rank %2</source>
        <translation>%1 等待 rank %2</translation>
    </message>
    <message>
        <source>not indexed yet</source>
        <translation>尚未索引</translation>
    </message>
    <message>
        <source>predicted, not measured</source>
        <translation>预测，非实测</translation>
    </message>
    <message>
        <source>model device, not measured</source>
        <translation>模型设备，非实测</translation>
    </message>
    <message>
        <source>lanes filtered: %1</source>
        <translation>泳道已筛选：%1</translation>
    </message>
    <message>
        <source>measured or computed: unknown</source>
        <translation>未知是实测还是计算得出</translation>
    </message>
    <message>
        <source>cut short at %1</source>
        <translation>录制在 %1 处中断</translation>
    </message>
</context>
<context>
    <name>TitleVerdict</name>
    <message>
        <source>%1 faster</source>
        <translation>快 %1</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>慢 %1</translation>
    </message>
    <message>
        <source>%1 times as fast</source>
        <translation>速度为 %1 倍</translation>
    </message>
    <message>
        <source>%1 times as long</source>
        <translation>用时为 %1 倍</translation>
    </message>
    <message>
        <source>as fast as %1</source>
        <translation>与 %1 一样快</translation>
    </message>
    <message>
        <source>not the same work as %1</source>
        <translation>与 %1 的工作不同</translation>
    </message>
    <message>
        <source>not filtered: %1</source>
        <translation>未筛选：%1</translation>
    </message>
    <message>
        <source>iteration: %1</source>
        <translation>一次迭代：%1</translation>
    </message>
    <message>
        <source>iterations on average: %1</source>
        <translation>迭代平均：%1</translation>
    </message>
</context>
<context>
    <name>TornEdge</name>
    <message>
        <source>shown, with percentages: %1 to %2</source>
        <translation>所示及百分比的范围：%1 至 %2</translation>
    </message>
    <message>
        <source>shown: %1 to %2</source>
        <translation>所示范围：%1 至 %2</translation>
    </message>
</context>
<context>
    <name>WholeFile</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>lanes::gui</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>%1 is a folder, not a recording</source>
        <translation>%1 是文件夹，不是录制</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>--lang needs a language: en or zh_CN</source>
        <translation>--lang 需要一种语言：en 或 zh_CN</translation>
    </message>
    <message>
        <source>Unknown language %1, expected en or zh_CN</source>
        <translation>未知语言 %1：en 或 zh_CN</translation>
    </message>
    <message>
        <source>%1: no such file; did you mean lanescope render?</source>
        <translation>%1：没有此文件；是否要用 lanescope render？</translation>
    </message>
    <message>
        <source>Unknown option %1; lanescope --help lists them</source>
        <translation>未知选项 %1；lanescope --help 列出所有选项</translation>
    </message>
    <message>
        <source>Unknown option %1; did you mean %2?</source>
        <translation>未知选项 %1；是不是 %2？</translation>
    </message>
    <message>
        <source>%1 is an option of pictures: lanescope render FILE %1</source>
        <translation>%1 是导出图片的选项：lanescope render FILE %1</translation>
    </message>
    <message>
        <source>language of the window</source>
        <translation>窗口的语言</translation>
    </message>
    <message>
        <source>print the version</source>
        <translation>打印版本</translation>
    </message>
    <message>
        <source>print this help; for pictures see lanescope render --help</source>
        <translation>打印本说明；关于图片见 lanescope render --help</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>scrolls the lanes</source>
        <translation>滚动泳道</translation>
    </message>
    <message>
        <source>Ctrl + wheel</source>
        <translation>Ctrl + 滚轮</translation>
    </message>
    <message>
        <source>zooms at the cursor</source>
        <translation>在光标处缩放</translation>
    </message>
    <message>
        <source>Shift + wheel, Shift + drag</source>
        <translation>Shift + 滚轮，Shift + 拖动</translation>
    </message>
    <message>
        <source>pans</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>selects an event</source>
        <translation>选择事件</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>zooms to an event</source>
        <translation>缩放到事件</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Ctrl + drag, middle drag</source>
        <translation>Ctrl + 拖动，中键拖动</translation>
    </message>
    <message>
        <source>zooms to the box</source>
        <translation>缩放到框选区域</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme and text size</source>
        <translation>主题与字号(&amp;T)</translation>
    </message>
    <message>
        <source>Lang&amp;uage</source>
        <translation>语言(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>unknown stream</source>
        <translation>未知流</translation>
    </message>
    <message>
        <source>GPU %1 · %2</source>
        <translation>GPU %1 · %2</translation>
    </message>
    <message>
        <source>Untitled recording</source>
        <translation>未命名的录制</translation>
    </message>
    <message>
        <source>%1 · median of %2 runs, %3 to %4</source>
        <translation>%1 · %2 次运行取中位数，%3 至 %4</translation>
    </message>
    <message>
        <source>%1, recorded with CUPTI</source>
        <translation>%1，由 CUPTI 录制</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>%1: computed, not measured</source>
        <translation>%1：计算得出，非实测</translation>
    </message>
    <message>
        <source>Model of a GPU</source>
        <translation>GPU 模型</translation>
    </message>
    <message>
        <source>Predicted from a recording: computed, not measured</source>
        <translation>由录制预测：计算得出，非实测</translation>
    </message>
    <message>
        <source>PyTorch trace</source>
        <translation>PyTorch 跟踪</translation>
    </message>
    <message>
        <source>Nsight Systems export</source>
        <translation>Nsight Systems 导出</translation>
    </message>
    <message>
        <source>%1, Nsight Systems export</source>
        <translation>%1，Nsight Systems 导出</translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation>Chrome 跟踪</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>selects a time range and shows its figures; dragging its edge moves the edge</source>
        <translation>选择一段时间并显示其指标；拖动其边缘可移动边缘</translation>
    </message>
    <message>
        <source>Alt + drag</source>
        <translation>Alt + 拖动</translation>
    </message>
    <message>
        <source>selects a range without snapping to edges</source>
        <translation>选择范围而不吸附到边缘</translation>
    </message>
    <message>
        <source>Drag the right edge of the selected kernel or copy</source>
        <translation>拖动所选内核或拷贝的右边缘</translation>
    </message>
    <message>
        <source>predicts the run with another length of it</source>
        <translation>预测其用时改变后的运行</translation>
    </message>
    <message>
        <source>Drag the selected copy to another stream</source>
        <translation>把所选拷贝拖到另一个流</translation>
    </message>
    <message>
        <source>predicts the run with its copies there</source>
        <translation>预测同名拷贝改到该流上的运行</translation>
    </message>
    <message>
        <source>Click, double click a mark</source>
        <translation>单击、双击标记</translation>
    </message>
    <message>
        <source>goes to it, edits its text</source>
        <translation>转到它，编辑其文字</translation>
    </message>
    <message>
        <source>Click a label at the edge</source>
        <translation>单击边缘处的标签</translation>
    </message>
    <message>
        <source>follows the arrow to what is outside the view</source>
        <translation>沿箭头转到视野之外的内容</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>Drag a lane&apos;s name</source>
        <translation>拖动泳道名称</translation>
    </message>
    <message>
        <source>moves the lane</source>
        <translation>移动泳道</translation>
    </message>
    <message>
        <source>Click a lane&apos;s triangle, double click its name</source>
        <translation>点击泳道的三角，双击其名称</translation>
    </message>
    <message>
        <source>collapses or expands the lane</source>
        <translation>折叠或展开泳道</translation>
    </message>
    <message>
        <source>Right click a lane&apos;s name</source>
        <translation>右击泳道名称</translation>
    </message>
    <message>
        <source>opens the menu of lanes</source>
        <translation>打开泳道菜单</translation>
    </message>
    <message>
        <source>La&amp;nes</source>
        <translation>泳道(&amp;N)</translation>
    </message>
    <message>
        <source>%1 is a FIFO, a device or a socket, not a recording</source>
        <translation>%1 是管道、设备或套接字，不是录制</translation>
    </message>
    <message>
        <source>%1: measured or computed, the recording does not say</source>
        <translation>%1：录制未说明是实测还是计算得出</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>(no owner)</source>
        <translation>（无归属）</translation>
    </message>
    <message>
        <source>(no module)</source>
        <translation>（无模块）</translation>
    </message>
    <message>
        <source>(no line)</source>
        <translation>（无代码行）</translation>
    </message>
    <message>
        <source>At most two recordings open side by side; %1 is one too many. Use --ranks if they are the ranks of one run</source>
        <translation>最多并排打开两个录制；%1 超出了。如果它们是同一次运行的各个 rank，请用 --ranks</translation>
    </message>
    <message>
        <source>--row needs the id of a row, such as operation:12</source>
        <translation>--row 需要一行的标识，例如 operation:12</translation>
    </message>
    <message>
        <source>--row needs one recording</source>
        <translation>--row 需要恰好一个录制</translation>
    </message>
    <message>
        <source>select and show this row; lanes report --json has the ids</source>
        <translation>选中并显示这一行；标识见 lanes report --json</translation>
    </message>
    <message>
        <source>--ranks needs two or more recordings, one per rank</source>
        <translation>--ranks 需要两个或更多的录制，每个 rank 一个</translation>
    </message>
    <message>
        <source>open the recordings, one per rank of a run, as one</source>
        <translation>这些录制属于同一次运行，每个 rank 一个，合并打开</translation>
    </message>
    <message>
        <source>%1, if: %2</source>
        <translation>%1，若：%2</translation>
    </message>
    <message>
        <source>%1 (predicted)</source>
        <translation>%1（预测）</translation>
    </message>
    <message>
        <source>%1 is a session, which opens alone: it names its recordings</source>
        <translation>%1 是会话，只能单独打开：其中已指明各个录制</translation>
    </message>
    <message>
        <source>Usage: lanescope [FILE [FILE_B]] [WORKLOAD.yaml...]
       lanescope SESSION.lanescope
       lanescope --ranks FILE FILE...
       lanescope render FILE [FILE_B] -o OUT.(png|svg|pdf|html)

Shows what the CPU and the GPU do at the same time. Two recordings open side
by side on one time scale; a workload opens in the list, ready to run; a
session opens its recordings as they were looked at.

%1
Exit status: 0 success, 1 no display, 2 wrong argument or file.
</source>
        <translation>用法：lanescope [FILE [FILE_B]] [WORKLOAD.yaml...]
      lanescope SESSION.lanescope
      lanescope --ranks FILE FILE...
      lanescope render FILE [FILE_B] -o OUT.(png|svg|pdf|html)

显示 CPU 与 GPU 同时在做什么。两个录制在同一时间轴上并排打开；
工作负载在列表中打开，可以直接运行；会话按保存时的样子打开其录制。

%1
退出状态：0 成功，1 没有显示，2 参数或文件有误。
</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Scope of figu&amp;res</source>
        <translation>统计范围(&amp;R)</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ActivityBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Stop the current task</source>
        <translation>停止当前任务</translation>
    </message>
</context>
<context>
    <name>lanes::gui::AlignDialog</name>
    <message>
        <source>Align</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Align at a name</source>
        <translation>按名称对齐</translation>
    </message>
    <message>
        <source>Aligns marks with the same text, or the same occurrence of a range, GPU operation or API call, in both recordings.</source>
        <translation>把两个录制中文字相同的标记，或者范围、GPU 操作、API 调用的同一次出现，上下对齐。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Occurrence</source>
        <translation>第几次出现</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Enter the name of a mark, a range, a GPU operation or an API call.</source>
        <translation>需要一个名称：标记、范围、GPU 操作或 API 调用的名称。</translation>
    </message>
    <message>
        <source>Nothing in %1 is named “%2”.</source>
        <translation>%1 中没有名为“%2”的内容。</translation>
    </message>
    <message>
        <source>Did you mean “%1”?</source>
        <translation>是否指“%1”？</translation>
    </message>
    <message>
        <source>%1 has %2 of “%3”, not %4.</source>
        <translation>%1 中有 %2 个“%3”，没有 %4 个。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Annotate</name>
    <message>
        <source>A recording has at most %L1 annotations. Remove one to place another.</source>
        <translation>每个录制最多有 %L1 个标注。删除一个之后才能再放置。</translation>
    </message>
    <message>
        <source>&amp;Write a text</source>
        <translation>写文字(&amp;W)</translation>
    </message>
    <message>
        <source>Text: click its place in the lanes, Esc ends</source>
        <translation>文字：在泳道上点击其位置，Esc 结束</translation>
    </message>
    <message>
        <source>Bracket: drag along a lane or click an event, Esc ends</source>
        <translation>区间：沿泳道拖动或点击一个事件，Esc 结束</translation>
    </message>
    <message>
        <source>Arrow: drag over the lanes, Esc ends</source>
        <translation>箭头：在泳道上拖动，Esc 结束</translation>
    </message>
    <message>
        <source>Frame: drag along a lane or click an event, Esc ends</source>
        <translation>框：沿泳道拖动或点击一个事件，Esc 结束</translation>
    </message>
    <message>
        <source>A click on the lanes then places a text, also in pictures</source>
        <translation>随后在泳道上单击即放置一段文字，图片中也有</translation>
    </message>
    <message>
        <source>Draw a &amp;bracket</source>
        <translation>画区间(&amp;B)</translation>
    </message>
    <message>
        <source>A drag along a lane then marks the time between two points, a click marks an event; also in pictures</source>
        <translation>随后沿泳道拖动即量出两个时刻之间的时间，单击则量其下的事件；图片中也标出时间</translation>
    </message>
    <message>
        <source>Draw an &amp;arrow</source>
        <translation>画箭头(&amp;A)</translation>
    </message>
    <message>
        <source>A drag over the lanes then draws an arrow with a text</source>
        <translation>随后在泳道上拖动即画出带文字的箭头</translation>
    </message>
    <message>
        <source>Draw a f&amp;rame</source>
        <translation>画框(&amp;R)</translation>
    </message>
    <message>
        <source>A drag along a lane then frames a part of it, a click frames an event</source>
        <translation>随后沿泳道拖动即框出其中一段，单击则框出其下的事件</translation>
    </message>
    <message>
        <source>Rem&amp;ove the annotation or mark</source>
        <translation>删除标注或标记(&amp;O)</translation>
    </message>
    <message>
        <source>Removes the selected text, bracket, arrow, frame or mark: the one that was placed or clicked last</source>
        <translation>删除选中的文字、区间、箭头、框或标记，即最后放置或点击的那一个</translation>
    </message>
    <message>
        <source>Save a&amp;nnotations…</source>
        <translation>保存标注(&amp;N)…</translation>
    </message>
    <message>
        <source>Saves texts, brackets, arrows and frames as a YAML file for lanescope render</source>
        <translation>把文字、区间、箭头和框保存为 YAML 文件，供 lanescope render 使用</translation>
    </message>
    <message>
        <source>Load &amp;annotations…</source>
        <translation>载入标注(&amp;A)…</translation>
    </message>
    <message>
        <source>Replaces the annotations by those of a file</source>
        <translation>以该文件中的标注代替现有的标注</translation>
    </message>
    <message>
        <source>it is larger than 1 MiB</source>
        <translation>文件超过 1 MiB</translation>
    </message>
    <message>
        <source>Save annotations</source>
        <translation>保存标注</translation>
    </message>
    <message>
        <source>Load annotations</source>
        <translation>载入标注</translation>
    </message>
    <message>
        <source>Annotations (*.yaml)</source>
        <translation>标注 (*.yaml)</translation>
    </message>
    <message>
        <source>The annotations cannot be read: %1</source>
        <translation>无法读取标注：%1</translation>
    </message>
    <message>
        <source>Does again what was taken back last</source>
        <translation>重做最后撤销的一步</translation>
    </message>
    <message>
        <source>U&amp;ndo</source>
        <translation>撤销(&amp;N)</translation>
    </message>
    <message>
        <source>Takes back what was done last to annotations, marks, lanes or the filter</source>
        <translation>撤销对标注、标记、泳道或筛选所做的最后一步</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Appearance</name>
    <message>
        <source>&amp;Usual text</source>
        <translation>标准文字(&amp;U)</translation>
    </message>
    <message>
        <source>Text and lanes of the usual size</source>
        <translation>文字和泳道为标准大小</translation>
    </message>
    <message>
        <source>La&amp;rge text</source>
        <translation>大号文字(&amp;R)</translation>
    </message>
    <message>
        <source>Text and lanes 25 % larger</source>
        <translation>文字和泳道放大到 125%</translation>
    </message>
    <message>
        <source>&amp;Very large text</source>
        <translation>特大文字(&amp;V)</translation>
    </message>
    <message>
        <source>Text and lanes 50 % larger</source>
        <translation>文字和泳道放大到 150%</translation>
    </message>
    <message>
        <source>Settin&amp;gs…</source>
        <translation>设置(&amp;G)…</translation>
    </message>
    <message>
        <source>Theme, text size, language, and what is shown</source>
        <translation>主题、字号、语言以及显示哪些部分</translation>
    </message>
    <message>
        <source>Frame ti&amp;mes</source>
        <translation>帧时间(&amp;M)</translation>
    </message>
    <message>
        <source>Shows how long repaints take and what is drawn</source>
        <translation>显示重绘所需时间以及所绘内容</translation>
    </message>
    <message>
        <source>Like the des&amp;ktop</source>
        <translation>跟随桌面(&amp;K)</translation>
    </message>
    <message>
        <source>Dark or light, like the desktop</source>
        <translation>随桌面为深色或浅色</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Light on dark</source>
        <translation>深底浅字</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Dark on light</source>
        <translation>浅底深字</translation>
    </message>
    <message>
        <source>&amp;English</source>
        <translation>英语 English(&amp;E)</translation>
    </message>
    <message>
        <source>Use English in the window</source>
        <translation>窗口使用英语</translation>
    </message>
    <message>
        <source>&amp;Chinese (中文)</source>
        <translation>中文(&amp;C)</translation>
    </message>
    <message>
        <source>Use Chinese in the window</source>
        <translation>窗口使用中文</translation>
    </message>
</context>
<context>
    <name>lanes::gui::CodePanel</name>
    <message>
        <source>The same in</source>
        <translation>对应代码</translation>
    </message>
    <message>
        <source>Show the PyTorch code</source>
        <translation>显示 PyTorch 代码</translation>
    </message>
    <message>
        <source>Show the CUDA code</source>
        <translation>显示 CUDA 代码</translation>
    </message>
    <message>
        <source>The same calls in code</source>
        <translation>同样调用的代码</translation>
    </message>
    <message>
        <source>This workload comes without code.</source>
        <translation>此工作负载没有附带代码。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Compare</name>
    <message>
        <source>T&amp;ypical iterations</source>
        <translation>典型迭代(&amp;Y)</translation>
    </message>
    <message>
        <source>Shows a typical iteration of each under one another, and what changed on the critical path between them</source>
        <translation>上下对照两个录制的典型迭代，并显示关键路径上的变化</translation>
    </message>
    <message>
        <source>S&amp;wap A and B</source>
        <translation>交换 A 与 B(&amp;W)</translation>
    </message>
    <message>
        <source>Swaps the upper and the lower recording</source>
        <translation>交换上方与下方的录制</translation>
    </message>
    <message>
        <source>Against &amp;A</source>
        <translation>以 A 为参照(&amp;A)</translation>
    </message>
    <message>
        <source>Differences and verdict say how B differs from A</source>
        <translation>差异与结论说明 B 与 A 有何不同</translation>
    </message>
    <message>
        <source>Against &amp;B</source>
        <translation>以 B 为参照(&amp;B)</translation>
    </message>
    <message>
        <source>Differences and verdict say how A differs from B</source>
        <translation>差异与结论说明 A 与 B 有何不同</translation>
    </message>
    <message>
        <source>Align at the &amp;selection or mark</source>
        <translation>在所选处或标记处对齐(&amp;S)</translation>
    </message>
    <message>
        <source>Uses the start of the selection, or else the last mark, as this recording&apos;s anchor; the anchors are aligned</source>
        <translation>以所选内容的开始，或者上一个标记，作为本录制的锚点；两个锚点上下对齐</translation>
    </message>
    <message>
        <source>Align at a &amp;name…</source>
        <translation>按名称对齐(&amp;N)…</translation>
    </message>
    <message>
        <source>Aligns marks with the same text, or the n-th occurrence of a name, in both recordings</source>
        <translation>把两个录制中文字相同的标记，或某名称的第 n 次出现，上下对齐</translation>
    </message>
    <message>
        <source>Align at the s&amp;tarts</source>
        <translation>在起点对齐(&amp;T)</translation>
    </message>
    <message>
        <source>Aligns the starts of both recordings again</source>
        <translation>两个录制重新从同一处开始</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ComparisonView</name>
    <message>
        <source>whole recordings</source>
        <translation>整个录制</translation>
    </message>
</context>
<context>
    <name>lanes::gui::DetailsPanel</name>
    <message>
        <source>Nothing is selected. Click an operation or an API call in the timeline, or press . for the next one in its lane.</source>
        <translation>未选中任何内容。请在时间线中点击一个操作或 API 调用，或按 . 选择泳道中的下一个。</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>所选内容的详情</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Copy all fields</source>
        <translation>复制所有字段</translation>
    </message>
    <message>
        <source>Copy the value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy name and value</source>
        <translation>复制名称和值</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>Selects nothing, and gives the lanes this room (Esc)</source>
        <translation>取消选择，并把此处空间还给泳道（Esc）</translation>
    </message>
    <message>
        <source>Close the card</source>
        <translation>关闭卡片</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>所有字段</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Chain of causes, from here back</source>
        <translation>原因链，由此向前</translation>
    </message>
    <message>
        <source>hidden behind compute</source>
        <translation>被计算掩盖</translation>
    </message>
    <message>
        <source>exposed</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>all %L1 of this name, median %2</source>
        <translation>同名共 %L1 个，中位数 %2</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>于 %1</translation>
    </message>
</context>
<context>
    <name>lanes::gui::DeviceChoice</name>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where the workload runs: on the model, on this machine&apos;s GPU, or as a shipped recording</source>
        <translation>工作负载在哪里运行：模型、本机的 GPU，或随附的录制</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>Computed by a model of this GPU, not measured</source>
        <translation>由该 GPU 的模型计算得出，并非实测</translation>
    </message>
    <message>
        <source>%1 (recorded)</source>
        <translation>%1（已录制）</translation>
    </message>
    <message>
        <source>Recordings from a real GPU that came with Lanescope</source>
        <translation>随 Lanescope 提供的真实 GPU 录制</translation>
    </message>
    <message>
        <source>GPU %1: %2</source>
        <translation>GPU %1：%2</translation>
    </message>
    <message>
        <source>Runs and records on this machine</source>
        <translation>在本机运行并录制</translation>
    </message>
</context>
<context>
    <name>lanes::gui::DifferenceStrip</name>
    <message>
        <source>Differences between A and B</source>
        <translation>A 与 B 的差异</translation>
    </message>
    <message>
        <source>Align the recordings at their starts again</source>
        <translation>让两个录制重新在起点对齐</translation>
    </message>
    <message>
        <source>%1; press to align at the starts</source>
        <translation>%1；按下即在起点对齐</translation>
    </message>
</context>
<context>
    <name>lanes::gui::DurationHistogram</name>
    <message>
        <source>Durations of the chosen name</source>
        <translation>所选名称的时长分布</translation>
    </message>
    <message>
        <source>A %L1, B %L2</source>
        <translation>A %L1 个，B %L2 个</translation>
    </message>
    <message>
        <source>%L1</source>
        <translation>%L1 个</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 到 %2：%3</translation>
    </message>
    <message>
        <source>Distribution of durations. Drag to mark the events of an interval</source>
        <translation>时长分布。拖动可标出某一区间内的事件</translation>
    </message>
</context>
<context>
    <name>lanes::gui::EventsModel</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Thread or stream</source>
        <translation>线程或流</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>阻塞</translation>
    </message>
</context>
<context>
    <name>lanes::gui::EventsPanel</name>
    <message>
        <source>All events</source>
        <translation>所有事件</translation>
    </message>
    <message>
        <source>API calls</source>
        <translation>API 调用</translation>
    </message>
    <message>
        <source>Blocked calls</source>
        <translation>被阻塞的调用</translation>
    </message>
    <message>
        <source>GPU operations</source>
        <translation>GPU 操作</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Memsets</source>
        <translation>memset</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Host work and reads</source>
        <translation>主机工作与读取</translation>
    </message>
    <message>
        <source>Kind of events</source>
        <translation>事件种类</translation>
    </message>
    <message>
        <source>Recording whose events are shown</source>
        <translation>显示哪个录制的事件</translation>
    </message>
    <message>
        <source>Filter of events</source>
        <translation>事件筛选</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>copy D2H</source>
        <translation>拷贝 D2H</translation>
    </message>
    <message>
        <source>1 event</source>
        <translation>1 个事件</translation>
    </message>
    <message>
        <source>%L1 events</source>
        <translation>%L1 个事件</translation>
    </message>
    <message>
        <source>%L1 of %L2 events</source>
        <translation>%L1 / %L2 个事件</translation>
    </message>
    <message>
        <source>Filter: text, dur&gt;1ms, thread:main, -name:…</source>
        <translation>筛选：文字、dur&gt;1ms、thread:main、-name:…</translation>
    </message>
    <message>
        <source>sorting…</source>
        <translation>正在排序…</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ExportDialog</name>
    <message>
        <source>Size as given below</source>
        <translation>尺寸见下</translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation>幻灯片，16:9</translation>
    </message>
    <message>
        <source>Paper, one column (85 mm)</source>
        <translation>论文单栏（85 mm）</translation>
    </message>
    <message>
        <source>Paper, page width (170 mm)</source>
        <translation>论文通栏（170 mm）</translation>
    </message>
    <message>
        <source>Poster (800 mm)</source>
        <translation>海报（800 mm）</translation>
    </message>
    <message>
        <source>Glyphs (look the same everywhere)</source>
        <translation>字形（处处相同）</translation>
    </message>
    <message>
        <source>Text, easy to edit</source>
        <translation>文字，便于修改</translation>
    </message>
    <message>
        <source>Outlines</source>
        <translation>轮廓</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>100%</translation>
    </message>
    <message>
        <source>200 %</source>
        <translation>200%</translation>
    </message>
    <message>
        <source>400 %</source>
        <translation>400%</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Size of the preview</source>
        <translation>预览大小</translation>
    </message>
    <message>
        <source>Made for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>SVG text</source>
        <translation>SVG 文字</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 毫米</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Export a picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>All of the time</source>
        <translation>全部时间</translation>
    </message>
    <message>
        <source>What is visible</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>The selected range</source>
        <translation>所选范围</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Print, readable in grey</source>
        <translation>打印（灰度可读）</translation>
    </message>
    <message>
        <source>Device pixels per pixel of width, PNG only: 2 for a high-resolution screen, 4 for paper</source>
        <translation>每个宽度像素对应的设备像素，仅用于 PNG：高清屏幕用 2，纸张用 4</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>PNG scale</source>
        <translation>PNG 缩放</translation>
    </message>
    <message>
        <source>Title of the picture</source>
        <translation>图片标题</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the picture to the clipboard</source>
        <translation>把图片复制到剪贴板</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1: a picture ends in .png, .svg, .pdf or .html</source>
        <translation>%1：图片应以 .png、.svg、.pdf 或 .html 结尾</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf *.html)</source>
        <translation>图片 (*.png *.svg *.pdf *.html)</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>PNG, pixels</source>
        <translation>PNG，像素</translation>
    </message>
    <message>
        <source>SVG, lines and text</source>
        <translation>SVG，线条与文字</translation>
    </message>
    <message>
        <source>PDF, lines and text</source>
        <translation>PDF，线条与文字</translation>
    </message>
    <message>
        <source>HTML, to zoom and measure in</source>
        <translation>HTML，可缩放和测量</translation>
    </message>
    <message>
        <source>the lanes of the page; a browser shows them with its tools and texts</source>
        <translation>页面中的泳道；在浏览器中还有工具与文字</translation>
    </message>
    <message>
        <source>Ruler and grid</source>
        <translation>刻度与网格</translation>
    </message>
    <message>
        <source>Bar of a known length</source>
        <translation>比例尺</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Name and verdict of each recording</source>
        <translation>各录制的名称和结论</translation>
    </message>
    <message>
        <source>How busy each lane is</source>
        <translation>各泳道的忙碌程度</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Source of the recordings</source>
        <translation>录制的来源</translation>
    </message>
    <message>
        <source>Overview, where a part is shown</source>
        <translation>总览（只显示一部分时）</translation>
    </message>
    <message>
        <source>Selection with its arrows, search hits</source>
        <translation>选中的事件及其箭头、搜索结果</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Time scale</source>
        <translation>时间刻度</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>No room for 1 lane. Increase the height to show it.</source>
        <translation>放不下的泳道：1。增加图片高度即可显示。</translation>
    </message>
    <message>
        <source>These lanes have %L1 events, and a page holds at most %L2. Filter the lanes first, for example with “kind:kernel dur&gt;100us”, or choose another format, which has no limit.</source>
        <translation>这些泳道共有 %L1 个事件，页面最多容纳 %L2 个。请先筛选泳道，例如“kind:kernel dur&gt;100us”，或选择其他格式，其他格式不限数量。</translation>
    </message>
    <message>
        <source>The page follows once what is being analysed has ended.</source>
        <translation>正在进行的分析结束后即生成页面。</translation>
    </message>
    <message>
        <source>No room for %1 lanes. Increase the height to show them.</source>
        <translation>放不下的泳道：%1。增加图片高度即可显示。</translation>
    </message>
    <message>
        <source>How the recordings differ</source>
        <translation>录制之间的差异</translation>
    </message>
    <message>
        <source>A page for the browser has all parts</source>
        <translation>供浏览器打开的页面包含所有部分</translation>
    </message>
    <message>
        <source>On paper the caption says it</source>
        <translation>论文中由图注说明</translation>
    </message>
    <message>
        <source>On paper the caption says it; another title than the workload&apos;s is drawn</source>
        <translation>论文中由图注说明；与工作负载名称不同的标题会画出</translation>
    </message>
    <message>
        <source>With texts this large for its width, the picture has no room for it</source>
        <translation>相对图片宽度文字较大，没有空间画出这一部分</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Files</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>%1 has changed on disk. The window still shows the content it had when opened.</source>
        <translation>%1 在磁盘上已改变。这里显示的仍是打开时的内容。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>%1 was deleted or moved. It stays open until you close it, and can be saved.</source>
        <translation>%1 已被删除或移动。所显示的内容会保留到关闭为止，并且可以保存。</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Save selected ran&amp;ge…</source>
        <translation>保存选中的范围(&amp;G)…</translation>
    </message>
    <message>
        <source>Cuts the selected range out of the active recording and saves it as a recording of its own: .sqlite, .json, .json.gz or .csv</source>
        <translation>从活动录制中截取选中的范围，另存为一份录制：.sqlite、.json、.json.gz 或 .csv</translation>
    </message>
    <message>
        <source>Save the selected range</source>
        <translation>保存选中的范围</translation>
    </message>
    <message>
        <source>&amp;Save A as…</source>
        <translation>A 另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Saves the upper recording: .sqlite, .json, .json.gz or .csv</source>
        <translation>保存上方录制：.sqlite、.json、.json.gz 或 .csv</translation>
    </message>
    <message>
        <source>Save &amp;B as…</source>
        <translation>B 另存为(&amp;B)…</translation>
    </message>
    <message>
        <source>Saves the lower recording: .sqlite, .json, .json.gz or .csv</source>
        <translation>保存下方录制：.sqlite、.json、.json.gz 或 .csv</translation>
    </message>
    <message>
        <source>Reloa&amp;d</source>
        <translation>重新载入(&amp;D)</translation>
    </message>
    <message>
        <source>Reads the files of the open recordings again; the view stays</source>
        <translation>重新读取已打开录制的文件；视图保持不变</translation>
    </message>
    <message>
        <source>&amp;Close A</source>
        <translation>关闭 A(&amp;C)</translation>
    </message>
    <message>
        <source>Closes the upper recording; the lower one takes its place</source>
        <translation>关闭上方录制；下方录制取而代之</translation>
    </message>
    <message>
        <source>C&amp;lose B</source>
        <translation>关闭 B(&amp;L)</translation>
    </message>
    <message>
        <source>Closes the lower recording</source>
        <translation>关闭下方录制</translation>
    </message>
    <message>
        <source>Only two recordings open side by side; the others of these %1 files were not opened.</source>
        <translation>可并排打开两个录制；这 %1 个文件中的其余文件未打开。</translation>
    </message>
    <message>
        <source>%1 no longer exists; it was removed from the list.</source>
        <translation>%1 已不存在；已从列表中移除。</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清除此列表</translation>
    </message>
    <message>
        <source>Open recordings or workloads</source>
        <translation>打开录制或工作负载</translation>
    </message>
    <message>
        <source>Save recording %1</source>
        <translation>保存录制 %1</translation>
    </message>
    <message>
        <source>Recording (*.sqlite);;Chrome trace for Perfetto (*.json *.json.gz);;Table of operations (*.csv)</source>
        <translation>录制 (*.sqlite);;供 Perfetto 使用的 Chrome 跟踪 (*.json *.json.gz);;操作表 (*.csv)</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>The open recordings were made here and not saved: there is no file to read again.</source>
        <translation>打开的内容是在此处生成且未保存的：没有可重新读取的文件。</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>与另一个录制比较…(&amp;C)</translation>
    </message>
    <message>
        <source>Opens a recording below the one that is shown, in the place of B if there is one</source>
        <translation>在所示录制的下方打开另一个录制；已有 B 时取代它</translation>
    </message>
    <message>
        <source>Compare with a recording</source>
        <translation>与一个录制比较</translation>
    </message>
    <message>
        <source>Recordings and traces (%1);;All files (*)</source>
        <translation>录制和跟踪 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Recordings, traces, workloads and sessions (%1);;All files (*)</source>
        <translation>录制、跟踪、工作负载和会话 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Opens a recording, a workload or a session; where a recording is open it asks whether the other one comes below it</source>
        <translation>打开录制、工作负载或会话；已有录制打开时，会询问另一个是否放在其下方</translation>
    </message>
</context>
<context>
    <name>lanes::gui::FilterBar</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Show only these events</source>
        <translation>只显示这些事件</translation>
    </message>
    <message>
        <source>Show only: text, kind:copy, dur&gt;1ms, stream:7, thread:main, -name:…</source>
        <translation>只显示：文字、kind:copy、dur&gt;1ms、stream:7、thread:main、-name:…</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Shows all events again</source>
        <translation>重新显示所有事件</translation>
    </message>
    <message>
        <source>nothing matches</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>%L1 shown</source>
        <translation>显示 %L1 个</translation>
    </message>
</context>
<context>
    <name>lanes::gui::FindingsPanel</name>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Findings come when the whole recording has been read.</source>
        <translation>整个录制读完后才会给出发现。</translation>
    </message>
    <message>
        <source>Run a workload or open a recording to see what cost time.</source>
        <translation>运行一个工作负载或打开一个录制，这里会列出耗时之处。</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>What the advised change would gain</source>
        <translation>所建议的改动的效果</translation>
    </message>
    <message>
        <source>What if: %1</source>
        <translation>假设分析：%1</translation>
    </message>
    <message>
        <source>%1 Gained on top of: %2.</source>
        <translation>%1 这是在下列修改之外的收益：%2。</translation>
    </message>
    <message>
        <source>%1, the %L2 longest</source>
        <translation>%1，最长的 %L2 处</translation>
    </message>
    <message>
        <source>No findings: no known cause costs enough to be named. %1.</source>
        <translation>没有发现：没有哪个已知原因的代价大到值得列出。%1。</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Not looked for: the recording does not say what the CPU waited for. %1.</source>
        <translation>未查找：录制中没有说明 CPU 在等什么。%1。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::GalleryList</name>
    <message>
        <source>model device, not measured</source>
        <translation>模型设备，非实测</translation>
    </message>
    <message>
        <source>recorded on %1</source>
        <translation>在 %1 上录制</translation>
    </message>
    <message>
        <source>Drawing its lanes…</source>
        <translation>正在绘制泳道…</translation>
    </message>
    <message>
        <source>No picture: %1</source>
        <translation>没有图：%1</translation>
    </message>
    <message>
        <source>Gallery of workloads</source>
        <translation>工作负载图库</translation>
    </message>
    <message>
        <source>opened before</source>
        <translation>已打开过</translation>
    </message>
</context>
<context>
    <name>lanes::gui::GalleryPage</name>
    <message>
        <source>Opened before</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Does it block, or does it overlap?</source>
        <translation>是阻塞，还是重叠？</translation>
    </message>
    <message>
        <source>Lanescope shows what a CPU and a GPU do at the same time: one lane for every CPU thread and every GPU stream. Open a lesson, or drop files here: %1, or workloads (.yaml).</source>
        <translation>Lanescope 显示 CPU 与 GPU 同时在做什么：每个 CPU 线程、每个 GPU 流各一条泳道。打开一课，或把文件拖到这里：%1、工作负载（.yaml）。</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>打开录制…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>lanes::gui::GuessPage</name>
    <message>
        <source>What do you expect?</source>
        <translation>你预计会怎样？</translation>
    </message>
    <message>
        <source>Just show me</source>
        <translation>直接看</translation>
    </message>
    <message>
        <source>Keys 1 to 4 or a click add a hand, with Shift remove one. → shows the answer.</source>
        <translation>按 1 到 4 或点击：加一人；同时按住 Shift：减一人。按 → 揭晓。</translation>
    </message>
    <message>
        <source>hands: %1</source>
        <translation>举手 %1 人</translation>
    </message>
</context>
<context>
    <name>HitButtons</name>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>上一个结果 (Shift+F3)</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个结果</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>下一个结果 (F3)</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个结果</translation>
    </message>
</context>
<context>
    <name>lanes::gui::HitSteps</name>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1 / %L2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>%L1 found</source>
        <translation>%L1 个</translation>
    </message>
</context>
<context>
    <name>lanes::gui::IterationBars</name>
    <message>
        <source>%L1 iterations, the typical one takes %2</source>
        <translation>%L1 次迭代，典型的一次用时 %2</translation>
    </message>
    <message>
        <source>%1, %L2 slow</source>
        <translation>%1，%L2 次慢</translation>
    </message>
    <message>
        <source>All iterations</source>
        <translation>所有迭代</translation>
    </message>
    <message>
        <source>one scale, 0 to %1</source>
        <translation>同一比例，0 至 %1</translation>
    </message>
    <message>
        <source>0 to %1, longer ones cut</source>
        <translation>0 至 %1，更长的截断</translation>
    </message>
    <message>
        <source>outlier</source>
        <translation>离群</translation>
    </message>
</context>
<context>
    <name>lanes::gui::IterationPainter</name>
    <message>
        <source>5 to 95 % of all: %1 to %2</source>
        <translation>5% 至 95%：%1 至 %2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::IterationStrip</name>
    <message>
        <source>All iterations</source>
        <translation>所有迭代</translation>
    </message>
    <message>
        <source>A click shows it</source>
        <translation>点击即显示</translation>
    </message>
</context>
<context>
    <name>IterationWords</name>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>快</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>typical</source>
        <translation>典型</translation>
    </message>
    <message>
        <source>iteration %L1: %2</source>
        <translation>第 %L1 次迭代：%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 all else</source>
        <translation>%1 其余</translation>
    </message>
</context>
<context>
    <name>lanes::gui::IterationsPanel</name>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Iteration of %1</source>
        <translation>%1 的迭代</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>vs. typical</source>
        <translation>与典型相比</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>After its work</source>
        <translation>最后一个 GPU 操作之后</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>From its start</source>
        <translation>自开始起</translation>
    </message>
    <message>
        <source>Each from its start, on one scale. From the top: kernels, communication, copies to, from and between GPUs, and blocked time of the first thread, if recorded. The line marks the end of the typical iteration.</source>
        <translation>各次迭代都从起点画起，比例相同。从上到下：内核、通信、到 GPU 的拷贝、从 GPU 的拷贝、GPU 之间的拷贝，以及第一个线程被阻塞的时间；录制中没有的不画。竖线是典型迭代结束之处。</translation>
    </message>
    <message>
        <source>From its start to the start of the next one; of the last one, to the end of its own work</source>
        <translation>从它的起点到下一次的起点；最后一次到它自己的工作结束为止</translation>
    </message>
    <message>
        <source>The part of its length after its own work: what comes before the next one, such as loading its batch</source>
        <translation>长度中在它自己的工作之后的部分：下一次之前所做的事，例如读取其批次</translation>
    </message>
    <message>
        <source>The parts of its critical path that took longer or shorter than in the typical iteration</source>
        <translation>它的关键路径上哪些部分比典型迭代更长或更短</translation>
    </message>
    <message>
        <source>The iterations of a recording are shown here.</source>
        <translation>这里列出录制中的各次迭代。</translation>
    </message>
    <message>
        <source>Looking for iterations …</source>
        <translation>正在查找迭代…</translation>
    </message>
    <message>
        <source>No part of this recording repeats: no loop of ranges or launches has half of its operations.</source>
        <translation>这份录制中没有重复的部分：没有哪个由区间或启动构成的循环占到一半的操作。</translation>
    </message>
    <message>
        <source>found by repeating launches</source>
        <translation>按重复的内核启动识别</translation>
    </message>
    <message>
        <source>found by the ranges “%1”</source>
        <translation>按范围“%1”找到</translation>
    </message>
    <message>
        <source>typical</source>
        <translation>典型</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>nothing repeats.</source>
        <translation>没有重复的部分。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，第 %2 次</translation>
    </message>
    <message>
        <source>%L1 of the warm-up</source>
        <translation>预热 %L1 次</translation>
    </message>
    <message>
        <source>%L1 slow</source>
        <translation>偏慢 %L1 次</translation>
    </message>
    <message>
        <source>%L1 fast</source>
        <translation>偏快 %L1 次</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%L1 iterations, %2. The typical one, %L3, takes %4; outliers: %5.</source>
        <translation>%L1 次迭代，%2。典型的是第 %L3 次，用时 %4；离群：%5。</translation>
    </message>
    <message>
        <source>Communication and copies while no kernel computes on their GPU; of several GPUs the one with most</source>
        <translation>没有内核在同一 GPU 上计算时的通信和拷贝；有多块 GPU 时取最多的一块</translation>
    </message>
</context>
<context>
    <name>lanes::gui::KeysPage</name>
    <message>
        <source>All keys</source>
        <translation>所有按键</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search among the commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>Mouse in the timeline</source>
        <translation>时间线中的鼠标操作</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove its keys</source>
        <translation>去掉它的按键</translation>
    </message>
    <message>
        <source>Usual keys</source>
        <translation>默认按键</translation>
    </message>
    <message>
        <source>Keys as in</source>
        <translation>按键沿用</translation>
    </message>
    <message>
        <source>Keys as in another viewer</source>
        <translation>沿用其他查看器的按键</translation>
    </message>
    <message>
        <source>The keys of another viewer, as far as they are documented and differ; &quot;Lanescope&quot; takes back every change</source>
        <translation>其他查看器的按键（限于有文档且与此处不同的）；选“Lanescope”撤销全部改动</translation>
    </message>
    <message>
        <source>press a key</source>
        <translation>按下一个键</translation>
    </message>
    <message>
        <source>Gives the command the keys that it has in Lanescope</source>
        <translation>恢复该命令在 Lanescope 中的默认按键</translation>
    </message>
    <message>
        <source>Choose a command to change its keys</source>
        <translation>选一个命令以更改它的按键</translation>
    </message>
    <message>
        <source>New key of: %1</source>
        <translation>新按键： %1</translation>
    </message>
    <message>
        <source>%1 is free</source>
        <translation>%1 未被占用</translation>
    </message>
    <message>
        <source>It has %1 already</source>
        <translation>它已有 %1</translation>
    </message>
    <message>
        <source>%1 belongs to: %2. Add takes it from there</source>
        <translation>%1 属于： %2 。“添加”会把它移过来</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LaneSearch</name>
    <message>
        <source>Column %1: %2</source>
        <translation>第 %1 列：%2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LanesJob</name>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>The run was killed or crashed. %1</source>
        <translation>运行被终止或崩溃。%1</translation>
    </message>
    <message>
        <source>lanes ended with status %1. %2</source>
        <translation>lanes 以状态 %1 结束。%2</translation>
    </message>
    <message>
        <source>lanes ended without a recording. %1</source>
        <translation>lanes 结束但没有录制。%1</translation>
    </message>
    <message>
        <source>The recording %1 is not there.</source>
        <translation>录制 %1 不存在。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LegendStrip</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>%1. A click shows everything again</source>
        <translation>%1。点击恢复显示全部</translation>
    </message>
    <message>
        <source>Idle stream: %1</source>
        <translation>空闲的流：%1</translation>
    </message>
    <message>
        <source>%1. A click hides these bars</source>
        <translation>%1。单击隐藏这些条</translation>
    </message>
    <message>
        <source>%1. A click shows only these, Shift+click these as well</source>
        <translation>%1。单击只显示这些，Shift+单击另加这些</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 项</translation>
    </message>
    <message>
        <source>What has no room here</source>
        <translation>这里放不下的各项</translation>
    </message>
    <message>
        <source>%1: %2 of the time of all GPU operations</source>
        <translation>%1：占全部 GPU 操作时间的 %2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LessonPanel</name>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>The variant above</source>
        <translation>上方的变体</translation>
    </message>
    <message>
        <source>The variant below</source>
        <translation>下方的变体</translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation>看什么</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>The rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Open a lesson from the gallery to see what to look at, why it is so, and the rule to remember.</source>
        <translation>从图库打开一课，这里会显示看什么、为什么，以及要记住的规则。</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>How all variants compare</source>
        <translation>所有变体的比较</translation>
    </message>
    <message>
        <source>On this GPU</source>
        <translation>在本机 GPU 上</translation>
    </message>
    <message>
        <source>Previous lesson</source>
        <translation>上一课</translation>
    </message>
    <message>
        <source>The previous lesson</source>
        <translation>上一课</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>The next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Runs the active variant here and shows it under the recording that came with Lanescope</source>
        <translation>在本机运行当前变体，并显示在随 Lanescope 提供的录制下方</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>思考题</translation>
    </message>
    <message>
        <source>Asks the questions of this lesson</source>
        <translation>回答本课的思考题</translation>
    </message>
    <message>
        <source>Why it matters: %1 (%2)</source>
        <translation>为什么重要：%1（%2）</translation>
    </message>
    <message>
        <source>Exercise (%1): %2</source>
        <translation>练习（%1）：%2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::PresenterNotes</name>
    <message>
        <source>Notes for the presenter</source>
        <translation>演讲者备注</translation>
    </message>
    <message>
        <source>For how long this lesson has been open</source>
        <translation>本课已打开多久</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Lessons</name>
    <message>
        <source>Notes for the p&amp;resenter</source>
        <translation>演讲者备注(&amp;R)</translation>
    </message>
    <message>
        <source>A window of its own, on full screen on another screen: what comes next, the answer, why and the rule before the stage has them, and the time</source>
        <translation>单独的窗口，全屏时放在另一块屏幕上：下一步是什么、题目的答案，先于大屏幕给出“为什么”和规则，并显示用时</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>On the stage</source>
        <translation>大屏幕上</translation>
    </message>
    <message>
        <source>With the next key</source>
        <translation>再按一次键</translation>
    </message>
    <message>
        <source>the next lesson: %1</source>
        <translation>下一课：%1</translation>
    </message>
    <message>
        <source>Why it matters</source>
        <translation>为什么重要</translation>
    </message>
    <message>
        <source>Full &amp;screen</source>
        <translation>全屏(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>图库(&amp;G)</translation>
    </message>
    <message>
        <source>Shows a card with a picture for each workload; again: returns to the timeline</source>
        <translation>每个工作负载一张卡片，带有其泳道的图；再按一次回到时间线</translation>
    </message>
    <message>
        <source>&amp;Ask what I expect first</source>
        <translation>先问我的预期(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Step through the run</source>
        <translation>逐步查看运行(&amp;S)</translation>
    </message>
    <message>
        <source>A line moves through the run; the bar explains each step and its code is highlighted</source>
        <translation>一条线走过运行；下方说明每一步发生什么，并高亮对应的代码行</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Plays the run at the chosen speed; again: pauses</source>
        <translation>按所选速度播放运行；再按一次暂停</translation>
    </message>
    <message>
        <source>Step &amp;forward</source>
        <translation>前进一步(&amp;F)</translation>
    </message>
    <message>
        <source>Goes to the next step of the run</source>
        <translation>前进到运行的下一步</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>后退一步(&amp;B)</translation>
    </message>
    <message>
        <source>Goes to the previous step of the run</source>
        <translation>后退到运行的上一步</translation>
    </message>
    <message>
        <source>Fas&amp;ter</source>
        <translation>加快(&amp;T)</translation>
    </message>
    <message>
        <source>Plays faster</source>
        <translation>播放得更快</translation>
    </message>
    <message>
        <source>Slo&amp;wer</source>
        <translation>减慢(&amp;W)</translation>
    </message>
    <message>
        <source>Plays slower</source>
        <translation>播放得更慢</translation>
    </message>
    <message>
        <source>Lanes and explanations, large, for a lecture hall: → or Page Down goes through the lesson, ← or Page Up back, Esc leaves</source>
        <translation>放大显示泳道和讲解，适合报告厅：→ 或 Page Down 逐步讲完一课，← 或 Page Up 后退，Esc 退出</translation>
    </message>
    <message>
        <source>&amp;Next lesson</source>
        <translation>下一课(&amp;N)</translation>
    </message>
    <message>
        <source>Opens the next lesson</source>
        <translation>打开下一课</translation>
    </message>
    <message>
        <source>Pre&amp;vious lesson</source>
        <translation>上一课(&amp;V)</translation>
    </message>
    <message>
        <source>Opens the previous lesson</source>
        <translation>打开上一课</translation>
    </message>
    <message>
        <source>&amp;On this GPU</source>
        <translation>在本机 GPU 上(&amp;O)</translation>
    </message>
    <message>
        <source>Runs the lesson&apos;s active variant on this machine&apos;s GPU, under the recording that came with Lanescope</source>
        <translation>在本机 GPU 上运行当前变体，显示在随 Lanescope 提供的录制下方</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 课，共 %2 课</translation>
    </message>
    <message>
        <source>%1, on this machine</source>
        <translation>%1，在本机</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流的数量</translation>
    </message>
    <message>
        <source>A lesson asks its questions, or how long its second run takes, before it shows the lanes</source>
        <translation>显示泳道之前，先提出本课的思考题；没有思考题时，问第二次运行要多久</translation>
    </message>
    <message>
        <source>&amp;Questions</source>
        <translation>思考题(&amp;Q)</translation>
    </message>
    <message>
        <source>Asks the questions of the lesson that is open</source>
        <translation>回答当前课程的思考题</translation>
    </message>
    <message>
        <source>%1 · after: %2</source>
        <translation>%1 · 先修：%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 · question %2 of %3</source>
        <translation>%1 · 第 %2 题，共 %3 题</translation>
    </message>
    <message>
        <source>Show the lanes</source>
        <translation>显示泳道</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>下一题</translation>
    </message>
    <message>
        <source>Now see what happened</source>
        <translation>现在看看实际发生了什么</translation>
    </message>
    <message>
        <source>%1 of %2 right</source>
        <translation>答对 %1 题，共 %2 题</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LiveKnobs</name>
    <message>
        <source>&amp;Live knobs</source>
        <translation>实时参数(&amp;L)</translation>
    </message>
    <message>
        <source>A run on the model is updated while you change its parameters</source>
        <translation>模型上的运行随参数的改变实时更新</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LongestKernel</name>
    <message>
        <source>waited for %1</source>
        <translation>等待过 %1</translation>
    </message>
    <message>
        <source>Lon&amp;gest kernel</source>
        <translation>最长的内核(&amp;G)</translation>
    </message>
    <message>
        <source>W&amp;hat waited for it</source>
        <translation>谁等待了它(&amp;H)</translation>
    </message>
    <message>
        <source>Marks the calls and operations that waited for the selected operation; F3 goes to the next</source>
        <translation>标出等待过所选操作的调用和操作；按 F3 依次查看</translation>
    </message>
    <message>
        <source>Selects the longest kernel of the scope; again: the next longest</source>
        <translation>选中当前范围内最长的内核；再按一次：下一个最长的</translation>
    </message>
</context>
<context>
    <name>lanes::gui::MainWindow</name>
    <message>
        <source>shown: %1</source>
        <translation>当前显示：%1</translation>
    </message>
    <message>
        <source>Indexing the lanes</source>
        <translation>正在为泳道建立索引</translation>
    </message>
    <message>
        <source>There is not enough memory to draw the lanes of this recording.</source>
        <translation>内存不足，无法绘制这个录制的泳道。</translation>
    </message>
    <message>
        <source>Open “%1” on %2</source>
        <translation>打开“%1”：%2</translation>
    </message>
    <message>
        <source>Run “%1” on %2</source>
        <translation>运行“%1”：%2</translation>
    </message>
    <message>
        <source>About Lanescope</source>
        <translation>关于 Lanescope</translation>
    </message>
    <message>
        <source>Shows what the CPU and the GPU do at the same time, and whether work blocks or overlaps.

MIT licence. Made with Qt %1.</source>
        <translation>显示 CPU 与 GPU 同时在做什么，以及是阻塞还是重叠。

MIT 许可证。使用 Qt %1 构建。</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Run all variants</source>
        <translation>运行所有变体</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Quits Lanescope</source>
        <translation>退出 Lanescope</translation>
    </message>
    <message>
        <source>Cop&amp;y details</source>
        <translation>复制详情(&amp;Y)</translation>
    </message>
    <message>
        <source>Copies all fields of the selection</source>
        <translation>复制所选内容的所有字段</translation>
    </message>
    <message>
        <source>Find e&amp;vents</source>
        <translation>查找事件(&amp;V)</translation>
    </message>
    <message>
        <source>Searches the lanes by name, kind, lane, length, bytes or start</source>
        <translation>按名称、种类、泳道、时长、字节数或开始时间在泳道中搜索</translation>
    </message>
    <message>
        <source>F&amp;ilter the table of events</source>
        <translation>筛选事件表(&amp;I)</translation>
    </message>
    <message>
        <source>Goes to the table of events and its filter</source>
        <translation>转到事件表及其筛选</translation>
    </message>
    <message>
        <source>C&amp;lear the selection</source>
        <translation>清除选择(&amp;L)</translation>
    </message>
    <message>
        <source>Clears the selected event and range and puts the keyboard into the timeline. First it stops playing, leaves the steps and leaves full screen</source>
        <translation>取消选择事件和范围；键盘回到时间线。在此之前依次停止播放、退出单步和全屏</translation>
    </message>
    <message>
        <source>&amp;Workloads and parameters</source>
        <translation>工作负载与参数(&amp;W)</translation>
    </message>
    <message>
        <source>Shows or hides the column on the left</source>
        <translation>显示或隐藏左侧栏</translation>
    </message>
    <message>
        <source>Pan&amp;els below</source>
        <translation>下方面板(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Workloads</source>
        <translation>工作负载(&amp;W)</translation>
    </message>
    <message>
        <source>Puts the keyboard into the list of workloads</source>
        <translation>键盘焦点移到工作负载列表</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>Puts the keyboard into the timeline</source>
        <translation>键盘焦点移到时间线</translation>
    </message>
    <message>
        <source>All &amp;keys</source>
        <translation>所有按键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Lanescope</source>
        <translation>关于 Lanescope(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本与许可证</translation>
    </message>
    <message>
        <source>Code &amp;beside the lanes</source>
        <translation>代码放在泳道旁(&amp;B)</translation>
    </message>
    <message>
        <source>Shows the code in a separate column, as wide as its lines; again: under the parameters</source>
        <translation>代码独占一列，宽度与最长的行相配；再按一次：回到参数下方</translation>
    </message>
    <message>
        <source>Le&amp;gend</source>
        <translation>图例(&amp;G)</translation>
    </message>
    <message>
        <source>Shows or hides what the colours and patterns of the lanes mean</source>
        <translation>显示或隐藏泳道颜色与图案的含义</translation>
    </message>
    <message>
        <source>Show on the lanes</source>
        <translation>显示在泳道上</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Record again</source>
        <translation>重新录制</translation>
    </message>
    <message>
        <source>Keep as…</source>
        <translation>保留为…</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Show the predicted run</source>
        <translation>显示预测的运行</translation>
    </message>
    <message>
        <source>Shows or hides findings, statistics and events</source>
        <translation>显示或隐藏发现、统计和事件</translation>
    </message>
    <message>
        <source>The card of the selection: all that is known of it</source>
        <translation>所选内容的卡片：关于它的全部信息</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>详情(&amp;D)</translation>
    </message>
    <message>
        <source>All commands and their keys, which can be changed; and what the mouse does</source>
        <translation>全部命令及其按键（可以更改），以及鼠标的作用</translation>
    </message>
</context>
<context>
    <name>lanes::gui::MarkField</name>
    <message>
        <source>Text of the mark</source>
        <translation>标记的文字</translation>
    </message>
</context>
<context>
    <name>lanes::gui::MarkMenu</name>
    <message>
        <source>Mar&amp;ks</source>
        <translation>标记(&amp;K)</translation>
    </message>
    <message>
        <source>There are none yet</source>
        <translation>还没有标记</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Measure</name>
    <message>
        <source>Meas&amp;ure from here</source>
        <translation>从这里测量(&amp;U)</translation>
    </message>
    <message>
        <source>Selects the time from the selected event to the next one you click; again: cancels</source>
        <translation>选择从选中的事件到下一个被点击的事件之间的时间；再按一次取消</translation>
    </message>
    <message>
        <source>Measure: click the first event</source>
        <translation>测量：点击第一个事件</translation>
    </message>
    <message>
        <source>Measure from %1: click the last event</source>
        <translation>从 %1 开始测量：点击终点事件</translation>
    </message>
</context>
<context>
    <name>lanes::gui::NameDots</name>
    <message>
        <source>Lengths of all of this name</source>
        <translation>所有同名项的时长</translation>
    </message>
    <message>
        <source>%L1 of this name, %2 to %3, this one %4</source>
        <translation>同名共 %L1 个，%2 至 %3，此项 %4</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，位于 %2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::NoticeBar</name>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>复制此消息</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::OperationMenu</name>
    <message>
        <source>What &amp;if</source>
        <translation>假设分析(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Zoom here</source>
        <translation>放大到这里(&amp;Z)</translation>
    </message>
    <message>
        <source>Save this &amp;range…</source>
        <translation>保存这段范围(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Mark all “%1”</source>
        <translation>标出所有“%1”(&amp;M)</translation>
    </message>
    <message>
        <source>Mark what &amp;waited for it: %L1</source>
        <translation>标出等待它的事件(&amp;W)：%L1 个</translation>
    </message>
    <message>
        <source>&amp;Show only</source>
        <translation>只显示(&amp;S)</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Show in the table of &amp;events</source>
        <translation>在事件表中显示(&amp;E)</translation>
    </message>
    <message>
        <source>Copy the &amp;name</source>
        <translation>复制名称(&amp;N)</translation>
    </message>
</context>
<context>
    <name>lanes::gui::OverviewStrip</name>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
</context>
<context>
    <name>lanes::gui::PanelTabs</name>
    <message>
        <source>&amp;Findings</source>
        <translation>发现(&amp;F)</translation>
    </message>
    <message>
        <source>What cost time</source>
        <translation>耗时之处</translation>
    </message>
    <message>
        <source>Summar&amp;y</source>
        <translation>汇总(&amp;Y)</translation>
    </message>
    <message>
        <source>What took the time, by name: kernels, copies, API calls, ranges</source>
        <translation>按名称列出时间花在哪里：内核、拷贝、API 调用、范围</translation>
    </message>
    <message>
        <source>&amp;Statistics</source>
        <translation>统计(&amp;S)</translation>
    </message>
    <message>
        <source>Busy, overlap, hidden copies, blocked time</source>
        <translation>忙碌、重叠、隐藏的拷贝、阻塞时间</translation>
    </message>
    <message>
        <source>&amp;Events</source>
        <translation>事件(&amp;E)</translation>
    </message>
    <message>
        <source>The table of API calls and GPU operations</source>
        <translation>API 调用与 GPU 操作表</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>What to look at, why it is so, the rule to remember</source>
        <translation>看什么、为什么、要记住的规则</translation>
    </message>
    <message>
        <source>Var&amp;iants</source>
        <translation>变体(&amp;I)</translation>
    </message>
    <message>
        <source>All variants of the workload beside one another</source>
        <translation>并排比较工作负载的所有变体</translation>
    </message>
    <message>
        <source>What the critical path is made of, by lane and by name</source>
        <translation>关键路径由什么组成，按泳道和名称</translation>
    </message>
    <message>
        <source>The iterations of the recording, and why some were longer</source>
        <translation>录制中的各次迭代，以及哪些因素使某些迭代更长</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Findings %1</source>
        <translation>发现 %1</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ParameterField</name>
    <message>
        <source>%1 to %2, default %3</source>
        <translation>%1 到 %2，默认 %3</translation>
    </message>
    <message>
        <source>at least %1, default %2</source>
        <translation>至少 %1，默认 %2</translation>
    </message>
    <message>
        <source>at most %1, default %2</source>
        <translation>至多 %1，默认 %2</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>默认 %1</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ParameterForm</name>
    <message>
        <source>Variant %1</source>
        <translation>变体 %1</translation>
    </message>
    <message>
        <source>The variant that runs as A, the upper recording</source>
        <translation>作为 A（上方录制）运行的变体</translation>
    </message>
    <message>
        <source>The variant that runs as B, the lower recording, to compare with A</source>
        <translation>作为 B（下方录制）运行、与 A 比较的变体</translation>
    </message>
    <message>
        <source>Errors in the parameters</source>
        <translation>参数的问题</translation>
    </message>
    <message>
        <source>Back to defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Undo all changes to the parameters</source>
        <translation>撤销对参数的所有修改</translation>
    </message>
    <message>
        <source>nothing: run A alone</source>
        <translation>无：只运行 A</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Undo %1</source>
        <translation>撤回 %1</translation>
    </message>
    <message>
        <source>Undoes the change: back to the variant&apos;s own value</source>
        <translation>撤回更改：恢复该变体自己的值</translation>
    </message>
</context>
<context>
    <name>lanes::gui::PathPanel</name>
    <message>
        <source>The GPU runs an operation on the path</source>
        <translation>GPU 在执行路径上的操作</translation>
    </message>
    <message>
        <source>From a launch, or the end of what an operation waited for, to its start</source>
        <translation>从启动，或从操作所等待的东西结束，到操作开始</translation>
    </message>
    <message>
        <source>A thread is in an API call, without being held</source>
        <translation>线程在 API 调用中，且没有被阻塞</translation>
    </message>
    <message>
        <source>Recorded CPU work, named ranges and operators outside calls, and hand-overs between threads</source>
        <translation>录制到的 CPU 工作、调用之外的命名范围和算子，以及线程之间的交接</translation>
    </message>
    <message>
        <source>A thread continued when another was done: inferred, not recorded</source>
        <translation>一个线程在另一线程做完后继续：由推断得出，没有录到</translation>
    </message>
    <message>
        <source>Nothing is recorded for the thread</source>
        <translation>该线程这段时间未记录</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>时差</translation>
    </message>
    <message>
        <source>The smallest time by which one of them could have ended later without delaying the end</source>
        <translation>其中时差最小的一个可以晚多久结束而不推迟最后的结束</translation>
    </message>
    <message>
        <source>The chain that determined the length of a run is shown here.</source>
        <translation>这里列出决定运行总时间的部分。</translation>
    </message>
    <message>
        <source>Looking for the critical path …</source>
        <translation>正在查找关键路径…</translation>
    </message>
    <message>
        <source>This recording has no critical path.</source>
        <translation>这个录制没有关键路径。</translation>
    </message>
    <message>
        <source>Made of</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>By lane</source>
        <translation>按泳道</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>Idle time of all streams with work, by what delayed their next operation</source>
        <translation>所有流的空闲时间，按推迟下一个操作的原因</translation>
    </message>
    <message>
        <source>On no lane</source>
        <translation>不在任何泳道上</translation>
    </message>
    <message>
        <source>Delays before operations, and time without records for a thread</source>
        <translation>操作之前的延迟，以及线程未记录的时间</translation>
    </message>
    <message>
        <source>%1: no critical path, nothing recorded ends there.</source>
        <translation>%1：没有关键路径，没有记录在那里结束。</translation>
    </message>
    <message>
        <source>%1. A run is only faster if part of this is faster or not waited for.</source>
        <translation>%1。只有其中一部分变快或不再被等待，运行才会变快。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Pictures</name>
    <message>
        <source>&amp;Export picture…</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Saves the timeline as shown as PNG, SVG, PDF or HTML</source>
        <translation>把时间线写成 PNG、SVG、PDF 或 HTML</translation>
    </message>
    <message>
        <source>Copy p&amp;icture</source>
        <translation>复制图片(&amp;I)</translation>
    </message>
    <message>
        <source>Copies the timeline as shown to the clipboard, as an image and as SVG</source>
        <translation>把时间线当前所示复制到剪贴板，同时为图像和 SVG</translation>
    </message>
    <message>
        <source>The lanes are still being indexed: the picture follows once they are complete.</source>
        <translation>泳道仍在建立索引：完成后即生成图片。</translation>
    </message>
    <message>
        <source>There is no picture of lanes that are incomplete: their indexing was cancelled, or memory was short. Reload the recording to index them again.</source>
        <translation>泳道不完整，无法生成图片：索引已被取消，或内存不足。重新载入该录制即可再次建立索引。</translation>
    </message>
    <message>
        <source>Copied the timeline as shown.</source>
        <translation>已把时间线当前所示复制为图片。</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>Prints the timeline as shown; of a lesson also its text and code</source>
        <translation>打印时间线当前所示内容；对于课程，还打印其文字和代码</translation>
    </message>
    <message>
        <source>Sent to the printer %1.</source>
        <translation>已发送到打印机 %1。</translation>
    </message>
    <message>
        <source>Printed to %1.</source>
        <translation>已打印到 %1。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::PlaceDialog</name>
    <message>
        <source>Where to open it</source>
        <translation>在哪里打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Two recordings are open. Where does “%1” open?</source>
        <translation>已打开两个录制。“%1”打开在哪里？</translation>
    </message>
    <message>
        <source>“%1” is open. Where does “%2” open?</source>
        <translation>“%1”已打开。“%2”打开在哪里？</translation>
    </message>
    <message>
        <source>Alone: what is open is closed</source>
        <translation>单独打开：关闭已打开的录制</translation>
    </message>
    <message>
        <source>In the place of A: %1</source>
        <translation>替换 A：%1</translation>
    </message>
    <message>
        <source>In the place of B: %1</source>
        <translation>替换 B：%1</translation>
    </message>
    <message>
        <source>Below it, to compare them</source>
        <translation>放在其下方，以便比较</translation>
    </message>
</context>
<context>
    <name>lanes::gui::QuantityBox</name>
    <message>
        <source>enter a size, such as 64 MiB</source>
        <translation>请填写大小，例如 64 MiB</translation>
    </message>
    <message>
        <source>enter a time, such as 2 ms</source>
        <translation>请填写时间，例如 2 ms</translation>
    </message>
    <message>
        <source>enter a number</source>
        <translation>请填写数字</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
</context>
<context>
    <name>lanes::gui::QueryField</name>
    <message>
        <source>occurs in the name</source>
        <translation>出现在名称中</translation>
    </message>
    <message>
        <source>kernel, copy, h2d, call, blocked, …</source>
        <translation>kernel、copy、h2d、call、blocked……</translation>
    </message>
    <message>
        <source>occurs in the lane&apos;s name</source>
        <translation>出现在泳道名称中</translation>
    </message>
    <message>
        <source>the stream&apos;s number or name</source>
        <translation>流的编号或名称</translation>
    </message>
    <message>
        <source>the thread&apos;s number or name</source>
        <translation>线程的编号或名称</translation>
    </message>
    <message>
        <source>length, such as dur&gt;1ms</source>
        <translation>时长，例如 dur&gt;1ms</translation>
    </message>
    <message>
        <source>bytes moved, such as bytes&gt;=64MiB</source>
        <translation>移动的字节数，例如 bytes&gt;=64MiB</translation>
    </message>
    <message>
        <source>start, such as at&gt;2ms</source>
        <translation>开始时间，例如 at&gt;2ms</translation>
    </message>
    <message>
        <source>time blocked, such as blocked&gt;10us</source>
        <translation>阻塞时间，例如 blocked&gt;10us</translation>
    </message>
    <message>
        <source>matmul, attention, norm, communication, …</source>
        <translation>matmul、attention、norm、communication……</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Runs</name>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Runs the chosen variants on the chosen device, A above B</source>
        <translation>在所选设备上运行所选变体，A 在 B 上方</translation>
    </message>
    <message>
        <source>Run all &amp;variants</source>
        <translation>运行所有变体(&amp;V)</translation>
    </message>
    <message>
        <source>Runs every variant of the workload on the chosen device, one after the other, and compares them</source>
        <translation>在所选设备上依次运行工作负载的每个变体，并比较它们</translation>
    </message>
    <message>
        <source>Run again &amp;beside</source>
        <translation>再次运行并对比(&amp;B)</translation>
    </message>
    <message>
        <source>Runs the active recording&apos;s variant with the current parameters, shown under the previous result</source>
        <translation>用现在的参数再次运行当前录制的变体，放在之前结果的下方</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stops the current run, or opening a file</source>
        <translation>停止当前的运行或打开</translation>
    </message>
    <message>
        <source>These recordings were made with the variants&apos; own parameters, without your changes.</source>
        <translation>这些录制使用变体自带的参数：你对参数的修改不在其中。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::SearchBar</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search for events</source>
        <translation>搜索事件</translation>
    </message>
    <message>
        <source>Search: text, kind:copy, dur&gt;1ms, thread:main, -name:…</source>
        <translation>搜索：文字、kind:copy、dur&gt;1ms、thread:main、-name:…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Ends the search (Esc)</source>
        <translation>结束搜索 (Esc)</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>第 %L1 个，共 %L2 个</translation>
    </message>
    <message>
        <source>%L1 found</source>
        <translation>找到 %L1 个</translation>
    </message>
</context>
<context>
    <name>lanes::gui::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>所有按键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lanes::gui::SideColumn</name>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Variants and parameters</source>
        <translation>变体与参数</translation>
    </message>
    <message>
        <source>Whether the lanes show these values</source>
        <translation>时间线显示的是否为这些值</translation>
    </message>
    <message>
        <source>Not run yet: the lanes show %1.</source>
        <translation>尚未运行：时间线显示的是 %1。</translation>
    </message>
    <message>
        <source>Open the lesson</source>
        <translation>打开这一课</translation>
    </message>
    <message>
        <source>Its text cannot run: %1</source>
        <translation>其文本无法运行：%1</translation>
    </message>
    <message>
        <source>Show the text</source>
        <translation>显示文本</translation>
    </message>
</context>
<context>
    <name>lanes::gui::StatisticsPanel</name>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总时间</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>Time in which any stream of any GPU was busy</source>
        <translation>任一 GPU 的任一流忙碌的时间</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Time in which two or more streams were busy at once</source>
        <translation>两个或更多流同时忙碌的时间</translation>
    </message>
    <message>
        <source>CPU free while the GPU works</source>
        <translation>GPU 忙时 CPU 空闲</translation>
    </message>
    <message>
        <source>GPU busy while the first thread is neither blocked nor waiting</source>
        <translation>第一个线程既未阻塞也未等待时 GPU 忙碌的时间</translation>
    </message>
    <message>
        <source>Nothing runs</source>
        <translation>没有操作</translation>
    </message>
    <message>
        <source>One thing runs</source>
        <translation>逐个执行</translation>
    </message>
    <message>
        <source>Two things run</source>
        <translation>两项同时</translation>
    </message>
    <message>
        <source>Three or more run</source>
        <translation>三项或更多同时</translation>
    </message>
    <message>
        <source>As the overlap ribbon shows it</source>
        <translation>与重叠带所示一致</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copies hidden</source>
        <translation>被隐藏的拷贝</translation>
    </message>
    <message>
        <source>Copy time while kernels run on the same GPU</source>
        <translation>同一 GPU 上内核运行期间的拷贝时间</translation>
    </message>
    <message>
        <source>Copies exposed</source>
        <translation>未被隐藏的拷贝</translation>
    </message>
    <message>
        <source>Copy time while no kernel runs on the same GPU</source>
        <translation>同一 GPU 上没有内核运行时的拷贝时间</translation>
    </message>
    <message>
        <source>Copies H2D</source>
        <translation>H2D 拷贝</translation>
    </message>
    <message>
        <source>Copies D2H</source>
        <translation>D2H 拷贝</translation>
    </message>
    <message>
        <source>Both directions at once</source>
        <translation>双向同时</translation>
    </message>
    <message>
        <source>Two or more kernels at once</source>
        <translation>两个或更多内核同时</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>In API calls</source>
        <translation>在 API 调用中</translation>
    </message>
    <message>
        <source>… waiting for %1</source>
        <translation>… 等待%1</translation>
    </message>
    <message>
        <source>Waiting for other threads</source>
        <translation>等待其他线程</translation>
    </message>
    <message>
        <source>In queues and joins</source>
        <translation>在队列与汇合中</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>API calls</source>
        <translation>API 调用</translation>
    </message>
    <message>
        <source>Memsets</source>
        <translation>memset</translation>
    </message>
    <message>
        <source>Synchronisations</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Stream waits</source>
        <translation>流等待</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Dropped records</source>
        <translation>丢失的记录</translation>
    </message>
    <message>
        <source>The figures of the open recordings are shown here, side by side.</source>
        <translation>打开的录制的各项指标并排显示在这里。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Operations that extend beyond the range count in proportion to their time in it; bandwidth is per time in which any of them ran</source>
        <translation>超出范围的操作按其在范围内的时间份额计；带宽按其中任一操作运行的时间计算</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Kernels that move data between GPUs</source>
        <translation>在 GPU 之间传送数据的内核</translation>
    </message>
    <message>
        <source>Communication exposed</source>
        <translation>未被隐藏的通信</translation>
    </message>
    <message>
        <source>While no other kernel runs on the same GPU</source>
        <translation>同一 GPU 上没有其他内核运行期间</translation>
    </message>
    <message>
        <source>%1, of all events: not filtered</source>
        <translation>%1，所有事件：未筛选</translation>
    </message>
    <message>
        <source>Share of copies hidden</source>
        <translation>其中被隐藏的比例</translation>
    </message>
    <message>
        <source>To the last end of a call or operation; host reads after that are not part of the run. All percentages of time refer to this</source>
        <translation>到最后一个调用或操作结束为止；主机此后的读取不属于这次运行。所有时间的百分比都以此为准</translation>
    </message>
    <message>
        <source>Waiting for a GPU</source>
        <translation>等待 GPU</translation>
    </message>
    <message>
        <source>Blocked in API calls until GPU work, or the staging of a call&apos;s own copy, was done</source>
        <translation>在 API 调用中阻塞，直到 GPU 工作或该调用自身拷贝的暂存完成</translation>
    </message>
    <message>
        <source>… held</source>
        <translation>…… 被阻塞</translation>
    </message>
    <message>
        <source>In waits that cost something</source>
        <translation>在有代价的等待中</translation>
    </message>
    <message>
        <source>… which costs</source>
        <translation>…… 代价</translation>
    </message>
    <message>
        <source>By how much these waits delayed what the thread did next</source>
        <translation>这些等待使线程接下来的工作推迟了多少</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>lanes::gui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>%1: nothing, Esc ends</source>
        <translation>%1：没有，Esc 结束</translation>
    </message>
    <message>
        <source>%1: %L2 marked, F3 next, Esc ends</source>
        <translation>%1：已标出 %L2 个，F3 下一个，Esc 结束</translation>
    </message>
    <message>
        <source>%1, %2: [ cause, ] effect, F centres it, then zooms to it, the menu key shows more</source>
        <translation>%1，%2：[ 原因，] 结果，F 居中，再按放大到它，菜单键显示更多</translation>
    </message>
    <message>
        <source>%1: [ cause, ] effect, F centres it, then zooms to it, the menu key shows more</source>
        <translation>%1：[ 原因，] 结果，F 居中，再按放大到它，菜单键显示更多</translation>
    </message>
    <message>
        <source>Drag selects a range, Ctrl+wheel zooms, a right click shows more</source>
        <translation>拖动选择范围，Ctrl+滚轮缩放，右击显示更多</translation>
    </message>
    <message>
        <source>%1: %L2 of %L3, F3 next, Backspace previous view, Esc ends</source>
        <translation>%1：第 %L2 个，共 %L3 个，F3 下一个，Backspace 回到之前的视图，Esc 结束</translation>
    </message>
</context>
<context>
    <name>lanes::gui::StepBar</name>
    <message>
        <source>How fast it plays</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>What happens at this step</source>
        <translation>这一步发生什么</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Ends stepping through the run (F7)</source>
        <translation>结束逐步查看 (F7)</translation>
    </message>
</context>
<context>
    <name>lanes::gui::StepThrough</name>
    <message>
        <source>%1 s a step</source>
        <translation>每步 %1 秒</translation>
    </message>
    <message>
        <source>the run in %1 s</source>
        <translation>%1 秒走完运行</translation>
    </message>
    <message>
        <source>step %L1 of %L2, at %3</source>
        <translation>第 %L1 步，共 %L2 步，时刻 %3</translation>
    </message>
    <message>
        <source>nothing has happened yet</source>
        <translation>还什么都没发生</translation>
    </message>
    <message>
        <source>On the GPU: %1</source>
        <translation>GPU 上：%1</translation>
    </message>
    <message>
        <source>ended at %1</source>
        <translation>已于 %1 结束</translation>
    </message>
    <message>
        <source>%1; on the GPU: %2</source>
        <translation>%1；GPU 上：%2</translation>
    </message>
</context>
<context>
    <name>lanes::gui::SummaryModel</name>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>最后值</translation>
    </message>
    <message>
        <source>Each value is weighted by how long it held</source>
        <translation>每个值按其保持的时长计权</translation>
    </message>
    <message>
        <source>The time that would be saved without it</source>
        <translation>没有它可以省下的时间</translation>
    </message>
    <message>
        <source>The sum of the durations: two at the same time count twice</source>
        <translation>时长之和：同时进行的两个各计一次</translation>
    </message>
    <message>
        <source>Of the wall time</source>
        <translation>占总时间的比例</translation>
    </message>
    <message>
        <source>Without what ranges inside of them took</source>
        <translation>不含其内部范围所用的时间</translation>
    </message>
    <message>
        <source>Of the self times of this table</source>
        <translation>占此表自身时间的份额</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Of the total of this table</source>
        <translation>占本表合计的比例</translation>
    </message>
    <message>
        <source>How long these calls held their threads</source>
        <translation>这些调用使其线程阻塞了多久</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>阻塞</translation>
    </message>
    <message>
        <source>%1 B − A</source>
        <translation>%1 B − A</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>Of copies and communication: while no kernel computed on their GPU</source>
        <translation>拷贝和通信中，所在 GPU 上没有内核在计算的时间</translation>
    </message>
</context>
<context>
    <name>lanes::gui::SummaryPanel</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>API calls</source>
        <translation>API 调用</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Table to show</source>
        <translation>汇总的内容</translation>
    </message>
    <message>
        <source>Names containing this text</source>
        <translation>名称中含有这些文字</translation>
    </message>
    <message>
        <source>Filter of names</source>
        <translation>名称筛选</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>filtered: %1</source>
        <translation>筛选：%1</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>正在汇总…</translation>
    </message>
    <message>
        <source>names: %L1</source>
        <translation>名称 %L1 个</translation>
    </message>
    <message>
        <source>Families</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>归属</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>代码行</translation>
    </message>
</context>
<context>
    <name>lanes::gui::TimelinePair</name>
    <message>
        <source>typical iterations</source>
        <translation>典型迭代</translation>
    </message>
    <message>
        <source>chosen iterations</source>
        <translation>所选迭代</translation>
    </message>
</context>
<context>
    <name>lanes::gui::TimelineView</name>
    <message>
        <source>Text of the annotation</source>
        <translation>标注的文字</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>No recording. Run a workload, or open a file.</source>
        <translation>没有录制。请运行一个工作负载，或打开文件。</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
</context>
<context>
    <name>lanes::gui::TopBar</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>图库</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Open both</source>
        <translation>打开两个</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>▶  Run both</source>
        <translation>▶  运行两个</translation>
    </message>
    <message>
        <source>▶  Run</source>
        <translation>▶  运行</translation>
    </message>
    <message>
        <source>Step through the run</source>
        <translation>逐步查看运行</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>箭头</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>More tools</source>
        <translation>更多工具</translation>
    </message>
    <message>
        <source>Tools that do not fit here</source>
        <translation>此处放不下的工具</translation>
    </message>
    <message>
        <source>Record…</source>
        <translation>录制…</translation>
    </message>
</context>
<context>
    <name>lanes::gui::VariantRuns</name>
    <message>
        <source>All variants run, one after the other</source>
        <translation>正在依次运行所有变体</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>%1 as in each variant</source>
        <translation>%1 为各变体自己的值</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Variants</name>
    <message>
        <source>%1 of %2: %3</source>
        <translation>第 %1 个，共 %2 个：%3</translation>
    </message>
    <message>
        <source>%1 of %2 variants failed: its row says why.</source>
        <translation>%2 个变体中有 %1 个失败：原因在它的行中。</translation>
    </message>
    <message>
        <source>%1 of %2 variants failed: their rows say why.</source>
        <translation>%2 个变体中有 %1 个失败：原因在各自的行中。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::VariantsPanel</name>
    <message>
        <source>All variants</source>
        <translation>所有变体</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总时间</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Copies hidden</source>
        <translation>被隐藏的拷贝</translation>
    </message>
    <message>
        <source>Show above</source>
        <translation>放在上方</translation>
    </message>
    <message>
        <source>Show below</source>
        <translation>放在下方</translation>
    </message>
    <message>
        <source>To the last end of a call or operation</source>
        <translation>到最后一个调用或操作结束</translation>
    </message>
    <message>
        <source>Time in which any stream of any GPU was busy</source>
        <translation>任一 GPU 的任一流忙碌的时间</translation>
    </message>
    <message>
        <source>Time in which two or more streams were busy at once</source>
        <translation>两个或更多流同时忙碌的时间</translation>
    </message>
    <message>
        <source>Copy time while kernels run on the same GPU; the pale rest of the bar is exposed</source>
        <translation>同一 GPU 上有内核运行时的拷贝时间；条形中较淡的部分未被隐藏</translation>
    </message>
    <message>
        <source>Choose a workload to compare all its variants here.</source>
        <translation>选择一个工作负载：它的所有变体会并排列在这里。</translation>
    </message>
    <message>
        <source>This workload has no variants to compare.</source>
        <translation>这个工作负载没有可比较的变体。</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>wrong bytes</source>
        <translation>数据错误</translation>
    </message>
    <message>
        <source>The host read wrong bytes.</source>
        <translation>主机读到了错误的数据。</translation>
    </message>
    <message>
        <source>%1 of %2 of copying</source>
        <translation>拷贝时间 %2 中的 %1</translation>
    </message>
    <message>
        <source>Communication exposed</source>
        <translation>未被隐藏的通信</translation>
    </message>
    <message>
        <source>Communication between GPUs while no other kernel runs on the same GPU, for the GPU where this is longest; the pale rest of the bar is hidden</source>
        <translation>同一 GPU 上没有其他内核运行时的 GPU 间通信，取此时间最长的 GPU；条形中较淡的部分被隐藏</translation>
    </message>
    <message>
        <source>Waits cost</source>
        <translation>等待的代价</translation>
    </message>
    <message>
        <source>By how much the first thread&apos;s waits for a GPU delayed what it did next</source>
        <translation>第一个线程对 GPU 的等待使其接下来的工作推迟了多少</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Waterfall</name>
    <message>
        <source>An iteration of B is %1 times as fast: %2</source>
        <translation>B 的一次迭代速度为 A 的 %1 倍：%2</translation>
    </message>
    <message>
        <source>An iteration of B takes %1 times as long: %2</source>
        <translation>B 的一次迭代用时是 A 的 %1 倍：%2</translation>
    </message>
    <message>
        <source>The shown iteration of B is %1 times as fast: %2</source>
        <translation>所示的 B 迭代速度为 A 的 %1 倍：%2</translation>
    </message>
    <message>
        <source>The shown iteration of B takes %1 times as long: %2</source>
        <translation>所示的 B 迭代用时是 A 的 %1 倍：%2</translation>
    </message>
    <message>
        <source>Both iterations take the same time: %1</source>
        <translation>两次迭代用时相同：%1</translation>
    </message>
    <message>
        <source>typical iterations, %1 of %2 and %3 of %4</source>
        <translation>典型迭代：A 第 %1 次（共 %2 次），B 第 %3 次（共 %4 次）</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>iterations %1 of %2 and %3 of %4</source>
        <translation>迭代：A 第 %1 次（共 %2 次），B 第 %3 次（共 %4 次）</translation>
    </message>
    <message>
        <source>on the critical path of one iteration, on the lanes&apos; scale</source>
        <translation>一次迭代的关键路径，与泳道同一比例</translation>
    </message>
    <message>
        <source>%1; on average %2: %3</source>
        <translation>%1；平均%2：%3</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1 times as fast</source>
        <translation>速度为 %1 倍</translation>
    </message>
    <message>
        <source>%1 times as long</source>
        <translation>用时为 %1 倍</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WorkerJob</name>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>the beginning; the rest is being read</source>
        <translation>这是开头部分，其余正在读取</translation>
    </message>
    <message>
        <source>%1 shifted by %2, ± %3</source>
        <translation>%1 移动了 %2，误差 ± %3</translation>
    </message>
    <message>
        <source>%1 shifted by %2: no time in common, so all begin together</source>
        <translation>%1 移动了 %2：没有共同的时间，因此一起开始</translation>
    </message>
    <message>
        <source>Opening %1 ranks</source>
        <translation>正在打开 %1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WorkloadEditor</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Undoes the changes since the file was saved</source>
        <translation>撤销自上次保存以来的修改</translation>
    </message>
    <message>
        <source>Writes the file (Ctrl+S in the text)</source>
        <translation>写入文件（在文本中按 Ctrl+S）</translation>
    </message>
    <message>
        <source>Writes a new file</source>
        <translation>写入你自己的文件</translation>
    </message>
    <message>
        <source>Close the editor</source>
        <translation>关闭编辑器</translation>
    </message>
    <message>
        <source>Hides the text; changes are kept</source>
        <translation>隐藏文本；修改会保留</translation>
    </message>
    <message>
        <source>Errors in the text</source>
        <translation>文本的问题</translation>
    </message>
    <message>
        <source>Goes to the line</source>
        <translation>转到该行</translation>
    </message>
    <message>
        <source>No workload</source>
        <translation>没有工作负载</translation>
    </message>
    <message>
        <source>This one came with Lanescope: save your changes as a new file.</source>
        <translation>这是 Lanescope 自带的：请把修改保存为你自己的文件。</translation>
    </message>
    <message>
        <source>Line %1, column %2</source>
        <translation>第 %1 行，第 %2 列</translation>
    </message>
    <message>
        <source>No errors: every variant can run.</source>
        <translation>没有问题：每个变体都可以运行。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, line %2, column %3: %4</source>
        <translation>%1，第 %2 行第 %3 列：%4</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WorkloadList</name>
    <message>
        <source>Workloads</source>
        <translation>工作负载</translation>
    </message>
    <message>
        <source>Changed and not saved</source>
        <translation>已修改，未保存</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>你自己的</translation>
    </message>
    <message>
        <source>From Lanescope</source>
        <translation>Lanescope 自带</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WorkloadTexts</name>
    <message>
        <source>%1 was deleted or moved. Its text stays here and can be saved.</source>
        <translation>%1 已被删除或移动。它的文本留在这里，可以保存。</translation>
    </message>
    <message>
        <source>&amp;Edit the workload</source>
        <translation>编辑工作负载(&amp;E)</translation>
    </message>
    <message>
        <source>Shows the workload&apos;s text, with errors at their line; correct text can run at once</source>
        <translation>显示工作负载的文本：错误标在所在行，正确的文本可立即运行</translation>
    </message>
    <message>
        <source>&amp;Save the workload</source>
        <translation>保存工作负载(&amp;S)</translation>
    </message>
    <message>
        <source>Writes the workload&apos;s text to its file, or to a new file if it came with Lanescope</source>
        <translation>把文本写入其文件；Lanescope 自带的则写入你自己的文件</translation>
    </message>
    <message>
        <source>Save the workload &amp;as…</source>
        <translation>工作负载另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Writes the workload&apos;s text to a new file</source>
        <translation>把文本写入你自己的文件</translation>
    </message>
    <message>
        <source>Undo &amp;the changes…</source>
        <translation>撤销修改(&amp;T)…</translation>
    </message>
    <message>
        <source>Restores the workload&apos;s text from its file; asks first</source>
        <translation>恢复为文件中的文本；会先询问</translation>
    </message>
    <message>
        <source>Rem&amp;ove from the list</source>
        <translation>从列表中移除(&amp;O)</translation>
    </message>
    <message>
        <source>Removes your own workload from the list; its file is kept</source>
        <translation>把你自己的工作负载从列表中移除；文件保留</translation>
    </message>
    <message>
        <source>Save the workload</source>
        <translation>保存工作负载</translation>
    </message>
    <message>
        <source>Workload (*.yaml)</source>
        <translation>工作负载 (*.yaml)</translation>
    </message>
    <message>
        <source>%1-copy.yaml</source>
        <translation>%1-副本.yaml</translation>
    </message>
    <message>
        <source>Undo the changes</source>
        <translation>撤销修改</translation>
    </message>
    <message>
        <source>Undo all changes to %1?</source>
        <translation>撤销对 %1 的所有修改？</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Changes are not saved</source>
        <translation>修改尚未保存</translation>
    </message>
    <message>
        <source>Not saved: %1.</source>
        <translation>未保存：%1。</translation>
    </message>
    <message>
        <source>A workload that came with Lanescope is saved as a new file.</source>
        <translation>Lanescope 自带的会保存为你自己的文件。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and also here. Your changes are kept unless you reload.</source>
        <translation>%1 被另一个程序修改，这里也有修改。除非重新载入，这里的内容保留。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>%1 was changed by another program. The window still shows the content it had when opened.</source>
        <translation>%1 被另一个程序修改。显示的仍是打开时的内容。</translation>
    </message>
    <message>
        <source>Not saved when Lanescope was ended, and here again: %1.</source>
        <translation>Lanescope 被结束时未保存，现已恢复：%1。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::YamlEdit</name>
    <message>
        <source>The workload&apos;s text</source>
        <translation>工作负载的文本</translation>
    </message>
</context>
<context>
    <name>lanes::gui::FigureTile</name>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>lanes::gui::LiveRecording</name>
    <message>
        <source>Record a progra&amp;m…</source>
        <translation>录制程序(&amp;M)…</translation>
    </message>
    <message>
        <source>Records any CUDA program on this machine; its lanes grow while it runs</source>
        <translation>录制本机上的任意 CUDA 程序；泳道随程序运行而增长</translation>
    </message>
    <message>
        <source>Sto&amp;p recording</source>
        <translation>停止录制(&amp;P)</translation>
    </message>
    <message>
        <source>Interrupts the program as Ctrl+C does; what was recorded stays. The second time it asks the program to end, the third time it kills it</source>
        <translation>像 Ctrl+C 一样中断程序；已录制的内容保留。第二次要求程序结束，第三次强制终止</translation>
    </message>
    <message>
        <source>Record a&amp;gain</source>
        <translation>重新录制(&amp;G)</translation>
    </message>
    <message>
        <source>Starts the same program again; if it still runs, it is stopped and its recording is discarded</source>
        <translation>重新启动同一程序；仍在运行的会被停止，其录制不保留</translation>
    </message>
    <message>
        <source>Follo&amp;w the program</source>
        <translation>跟随程序(&amp;W)</translation>
    </message>
    <message>
        <source>The lanes grow and the view stays at their end; off: they are held. Panning, zooming away from the end, selecting, marking or annotating holds them, too</source>
        <translation>泳道增长，视图停在末端；关闭后静止不动。平移、缩放离开末端、进行选择、加标记或注释也会使其静止</translation>
    </message>
    <message>
        <source>&amp;Keep the recording as…</source>
        <translation>保留录制为(&amp;K)…</translation>
    </message>
    <message>
        <source>Saves what was recorded</source>
        <translation>保存录制的内容</translation>
    </message>
    <message>
        <source>&amp;Discard the recording</source>
        <translation>放弃录制(&amp;D)</translation>
    </message>
    <message>
        <source>Closes the recording and deletes it from disk</source>
        <translation>关闭录制的内容，并从磁盘上删除</translation>
    </message>
    <message>
        <source>O&amp;utput of the program</source>
        <translation>程序输出(&amp;U)</translation>
    </message>
    <message>
        <source>Shows or hides the program&apos;s output</source>
        <translation>显示或隐藏程序的输出</translation>
    </message>
    <message>
        <source>The lanes no longer grow: %1. Recording continues.</source>
        <translation>泳道不再增长：%1。录制仍在继续。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>recording, %1</source>
        <translation>正在录制，%1</translation>
    </message>
    <message>
        <source>asked to stop, %1</source>
        <translation>已要求停止，%1</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>已强制终止</translation>
    </message>
    <message>
        <source>no CUDA work for %1 s</source>
        <translation>%1 s 内没有 CUDA 工作</translation>
    </message>
    <message>
        <source>no CUDA work yet</source>
        <translation>尚无 CUDA 工作</translation>
    </message>
    <message>
        <source>the lanes are held</source>
        <translation>泳道已静止</translation>
    </message>
    <message>
        <source>Recorded for %1 s; not kept yet.</source>
        <translation>录制了 %1 s；尚未保留。</translation>
    </message>
    <message>
        <source>%1 has been recorded.</source>
        <translation>%1 已录制完成。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Keep the recording</source>
        <translation>保留录制</translation>
    </message>
    <message>
        <source>Records until the program was killed (*.spool)</source>
        <translation>终止前录制的内容 (*.spool)</translation>
    </message>
    <message>
        <source>Recording (*.sqlite)</source>
        <translation>录制 (*.sqlite)</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>Not kept</source>
        <translation>未保留</translation>
    </message>
    <message>
        <source>%1 is being recorded.</source>
        <translation>正在录制 %1。</translation>
    </message>
    <message>
        <source>The recording of %1 was not kept.</source>
        <translation>%1 的录制尚未保留。</translation>
    </message>
    <message>
        <source>Closing the window ends the program and loses the recording.</source>
        <translation>关闭窗口会结束程序，录制的内容将丢失。</translation>
    </message>
    <message>
        <source>Closing the window deletes it.</source>
        <translation>关闭窗口会将其删除。</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Keep as…</source>
        <translation>保留为…</translation>
    </message>
    <message>
        <source>Recorded; not kept yet.</source>
        <translation>已录制；尚未保留。</translation>
    </message>
    <message>
        <source>There is no GPU here that CUDA can use: a program records nothing without one.</source>
        <translation>这里没有 CUDA 可用的 GPU：没有 GPU，程序不会录到任何内容。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::MonitorStrip</name>
    <message>
        <source>Program that is being recorded</source>
        <translation>正在录制的程序</translation>
    </message>
    <message>
        <source>Share of the last second in which a GPU was busy</source>
        <translation>最近一秒内有 GPU 忙碌的时间所占的比例</translation>
    </message>
    <message>
        <source>Share of the last second in which two or more streams were busy at once</source>
        <translation>最近一秒内两个或更多的流同时忙碌的时间所占的比例</translation>
    </message>
    <message>
        <source>Share of the last second in which a thread was held until GPU work was done: the thread held longest</source>
        <translation>最近一秒内线程因等待 GPU 工作完成而被阻塞的时间所占的比例：取阻塞最久的线程</translation>
    </message>
    <message>
        <source>Kernels, copies and memsets of the last second</source>
        <translation>最近一秒内的内核、拷贝与 memset</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙碌</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Share of the last second in which this thread was held until GPU work was done: %1</source>
        <translation>最近一秒内此线程因等待 GPU 工作完成而被阻塞的时间所占的比例：%1</translation>
    </message>
    <message>
        <source>operations/s</source>
        <translation>每秒操作数</translation>
    </message>
    <message>
        <source>CPU waits</source>
        <translation>CPU 等待</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
</context>
<context>
    <name>lanes::gui::RecordAdvice</name>
    <message>
        <source>Could not start “lanes”, which does the recording. It must be in the same folder as lanescope. %1</source>
        <translation>无法启动负责录制的 “lanes”。它应与 lanescope 放在一起。%1</translation>
    </message>
    <message>
        <source>It was killed before it recorded anything.</source>
        <translation>在录到任何内容之前就被强制终止了。</translation>
    </message>
    <message>
        <source>This Lanescope came without its recorder (liblanes-probe.so): it can show recordings but not make them. Install the package that has it, or build Lanescope with the CUDA toolkit.</source>
        <translation>这个 Lanescope 没有附带录制器 (liblanes-probe.so)：只能显示录制，不能录制。请安装带有录制器的软件包，或在装有 CUDA 工具包的机器上构建 Lanescope。</translation>
    </message>
    <message>
        <source>The program made no CUDA call, so there was nothing to record. See its output; “lanes doctor” shows whether this machine has a GPU.</source>
        <translation>程序没有进行任何 CUDA 调用：没有可录制的内容。它做了什么见其输出；本机是否有 GPU 可用 “lanes doctor” 查看。</translation>
    </message>
    <message>
        <source>The program ended with status %1 before it made a CUDA call. Its output says why.</source>
        <translation>程序在进行 CUDA 调用之前以状态 %1 结束。原因见其输出。</translation>
    </message>
    <message>
        <source>%1. “lanes doctor” says which CUPTI this machine has.</source>
        <translation>%1。“lanes doctor” 会说明本机有哪个 CUPTI。</translation>
    </message>
    <message>
        <source>The program could not be started: %1.</source>
        <translation>无法启动程序：%1。</translation>
    </message>
    <message>
        <source>Nothing was recorded; it ended with status %1.</source>
        <translation>没有录到任何内容；以状态 %1 结束。</translation>
    </message>
    <message>
        <source>Nothing was recorded: %1.</source>
        <translation>没有录到任何内容：%1。</translation>
    </message>
    <message>
        <source>It was killed; what was recorded until then is shown.</source>
        <translation>已被强制终止；显示的是此前录制的内容。</translation>
    </message>
    <message>
        <source>Signal %1 ended it.</source>
        <translation>被信号 %1 终止。</translation>
    </message>
    <message>
        <source>It ended with status %1.</source>
        <translation>以状态 %1 结束。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::RecordDialog</name>
    <message>
        <source>Record a program</source>
        <translation>录制程序</translation>
    </message>
    <message>
        <source>&amp;Command, as in a shell</source>
        <translation>命令，写法与 shell 中相同(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>选择(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Working folder</source>
        <translation>工作文件夹(&amp;W)</translation>
    </message>
    <message>
        <source>Additional &amp;environment variables, one per line</source>
        <translation>在当前环境之上添加的环境变量，每行一个(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;PyTorch&apos;s operators, modules and batches</source>
        <translation>PyTorch 的算子、模块与批次(&amp;P)</translation>
    </message>
    <message>
        <source>Shown as ranges above the API calls; the script is not changed. Recording costs more time with them</source>
        <translation>作为 API 调用上方的范围显示；脚本无需改动。比不录制它们更耗时</translation>
    </message>
    <message>
        <source>Where P&amp;ython is between calls</source>
        <translation>Python 在两次调用之间的位置(&amp;Y)</translation>
    </message>
    <message>
        <source>Function and line, a thousand times a second; the script is not changed and waits for nothing</source>
        <translation>函数与行号，每秒采样一千次；脚本无需改动，也不会因此等待</translation>
    </message>
    <message>
        <source>CUDA &amp;graphs as a whole</source>
        <translation>CUDA Graph 按整体录制(&amp;G)</translation>
    </message>
    <message>
        <source>Each launch of a graph is one operation, which costs far less time than recording its kernels. What runs in a graph is not recorded then</source>
        <translation>图的每次启动是一个操作，比录制其中的内核省时得多；图内运行的内容则不会录下</translation>
    </message>
    <message>
        <source>&amp;All API calls</source>
        <translation>所有 API 调用(&amp;A)</translation>
    </message>
    <message>
        <source>Also calls that only query state, several per launch</source>
        <translation>也包括只查询状态的调用，每次启动有好几个</translation>
    </message>
    <message>
        <source>the whole program</source>
        <translation>整个程序</translation>
    </message>
    <message>
        <source>while an NVTX range is open</source>
        <translation>某个 NVTX 范围打开期间</translation>
    </message>
    <message>
        <source>from cudaProfilerStart to cudaProfilerStop</source>
        <translation>从 cudaProfilerStart 到 cudaProfilerStop</translation>
    </message>
    <message>
        <source>iterations A:B</source>
        <translation>迭代 A:B</translation>
    </message>
    <message>
        <source>&amp;Recorded part</source>
        <translation>录制的部分(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Begin after</source>
        <translation>多久后开始(&amp;B)</translation>
    </message>
    <message>
        <source>Stop after</source>
        <translation>多久后停止</translation>
    </message>
    <message>
        <source>Stop at a size of</source>
        <translation>达到多大时停止</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>name of the range</source>
        <translation>范围的名称</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>at once, or 2s</source>
        <translation>立即，或 2s</translation>
    </message>
    <message>
        <source>at its end, or 10s</source>
        <translation>直到结束，或 10s</translation>
    </message>
    <message>
        <source>no limit, or 2GiB</source>
        <translation>不限，或 2GiB</translation>
    </message>
</context>
<context>
    <name>lanes::gui::RecordRun</name>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>being recorded</source>
        <translation>正在录制</translation>
    </message>
    <message>
        <source>being recorded; the last %1 s are shown</source>
        <translation>正在录制；显示最近 %1 s</translation>
    </message>
    <message>
        <source>There is not enough memory to show it while it runs.</source>
        <translation>内存不足，无法在运行时显示。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::RecordSettings</name>
    <message>
        <source>“%1” is not a program: put environment variables in the field below.</source>
        <translation>“%1” 不是程序：环境变量请写在下面单独的栏里。</translation>
    </message>
    <message>
        <source>There is no program “%1” in the folders of PATH.</source>
        <translation>PATH 的文件夹中没有程序 “%1”。</translation>
    </message>
    <message>
        <source>There is no file “%1”.</source>
        <translation>没有文件 “%1”。</translation>
    </message>
    <message>
        <source>“%1” is a folder.</source>
        <translation>“%1” 是文件夹。</translation>
    </message>
    <message>
        <source>“%1” is not executable; a script needs its interpreter before it, such as python3 %1.</source>
        <translation>“%1” 不可执行；脚本前面需写上解释器，例如 python3 %1。</translation>
    </message>
    <message>
        <source>Line %1: found “%2”, expected NAME=VALUE.</source>
        <translation>第 %1 行：发现 “%2”，应为 NAME=VALUE。</translation>
    </message>
    <message>
        <source>Found “%1”, expected a time such as 2s or 500ms.</source>
        <translation>发现 “%1”，应为时间，例如 2s 或 500ms。</translation>
    </message>
    <message>
        <source>Found “%1”, expected a size such as 500MB or 2GiB.</source>
        <translation>发现 “%1”，应为大小，例如 500MB 或 2GiB。</translation>
    </message>
    <message>
        <source>The name of the NVTX range is missing.</source>
        <translation>缺少 NVTX 范围的名称。</translation>
    </message>
    <message>
        <source>Found “%1”, expected two whole numbers, the second one larger, such as 10:20.</source>
        <translation>发现 “%1”，应为两个整数且后一个更大，例如 10:20。</translation>
    </message>
    <message>
        <source>Found | &amp; ; &lt; &gt; ( ) { } or a line break outside quotation marks. One program is recorded, with all processes it starts; for shell syntax, write sh -c &apos;…&apos;.</source>
        <translation>引号之外出现了 | &amp; ; &lt; &gt; ( ) { } 之一或换行。录制的是一个程序及其启动的所有进程；需要 shell 的请写成 sh -c &apos;…&apos;。</translation>
    </message>
    <message>
        <source>Commands within the command, $(…) or `…`, are not run here; write sh -c &apos;…&apos; for them.</source>
        <translation>命令中嵌套的命令 $(…) 或 `…` 不会在此执行；请用 sh -c &apos;…&apos;。</translation>
    </message>
    <message>
        <source>A quotation mark or a brace is not closed.</source>
        <translation>引号或花括号没有闭合。</translation>
    </message>
    <message>
        <source>The command cannot be read.</source>
        <translation>无法读懂该命令。</translation>
    </message>
    <message>
        <source>There is no folder “%1”.</source>
        <translation>没有文件夹 “%1”。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::TogetherDialog</name>
    <message>
        <source>How to open them</source>
        <translation>如何打开</translation>
    </message>
    <message>
        <source>%1 recordings are to be opened. What are they?</source>
        <translation>要打开 %1 个录制。它们是什么？</translation>
    </message>
    <message>
        <source>Two runs: side by side on one time scale</source>
        <translation>两次运行：在同一时间轴上并排</translation>
    </message>
    <message>
        <source>Separate runs: the first two side by side, %1 and %2</source>
        <translation>各自独立的运行：并排打开前两个，%1 与 %2</translation>
    </message>
    <message>
        <source>The ranks of one run: all in one recording</source>
        <translation>同一次运行的各个 rank：合并为一个录制</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>lanes::gui::HandPredictions</name>
    <message>
        <source>Predict: s&amp;horter</source>
        <translation>预测：缩短(&amp;H)</translation>
    </message>
    <message>
        <source>Shows over the lanes what would be if all operations of the selected one&apos;s name took a tenth less of their time; Enter adds it to What if, Esc takes it back</source>
        <translation>在泳道上显示：若与所选操作同名的操作都少用十分之一的时间会怎样；回车加入假设分析，Esc 撤回</translation>
    </message>
    <message>
        <source>Predict: &amp;longer</source>
        <translation>预测：延长(&amp;L)</translation>
    </message>
    <message>
        <source>The same with a tenth more of their time</source>
        <translation>同上，但多用十分之一的时间</translation>
    </message>
    <message>
        <source>Predict: on the next st&amp;ream</source>
        <translation>预测：移到下一个流(&amp;R)</translation>
    </message>
    <message>
        <source>Shows over the lanes what would be if all copies of the selected one&apos;s name were on the next stream of their context</source>
        <translation>在泳道上显示：若与所选拷贝同名的拷贝都改到其上下文的下一个流上会怎样</translation>
    </message>
    <message>
        <source>Predict: as a CUDA &amp;graph</source>
        <translation>预测：改用 CUDA Graph(&amp;G)</translation>
    </message>
    <message>
        <source>Shows over the lanes what would be if launches were those of CUDA graphs, in what is looked at: what repeats, the selected range</source>
        <translation>在泳道上显示：若在当前范围（重复部分、所选区间）内改用 CUDA Graph 启动会怎样</translation>
    </message>
    <message>
        <source>All “%1”: %2 times as long</source>
        <translation>所有“%1”：用时变为 %2 倍</translation>
    </message>
    <message>
        <source>All “%1”: %2 of their time</source>
        <translation>所有“%1”：用时变为 %2 倍</translation>
    </message>
    <message>
        <source>All “%1” on %2</source>
        <translation>所有“%1”改到 %2 上</translation>
    </message>
    <message>
        <source>Launches as CUDA graphs</source>
        <translation>改用 CUDA Graph 启动</translation>
    </message>
    <message>
        <source>Nothing changes: their memory is pageable, so that the host limits them.</source>
        <translation>没有变化：它们使用可分页内存，受主机限制。</translation>
    </message>
    <message>
        <source>As recorded: nothing changes.</source>
        <translation>与录制相同：没有变化。</translation>
    </message>
    <message>
        <source>Nothing here would change.</source>
        <translation>这里没有可改动之处。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Enter: add to What if · Esc: take back</source>
        <translation>回车：加入假设分析 · Esc：撤回</translation>
    </message>
    <message>
        <source>Esc: take back</source>
        <translation>Esc：撤回</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Predictions</name>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>What each change would gain on the active recording</source>
        <translation>每项改动对当前录制的效果</translation>
    </message>
    <message>
        <source>Show the &amp;predicted run</source>
        <translation>显示预测的运行(&amp;P)</translation>
    </message>
    <message>
        <source>Shows the run predicted for the chosen change under the recorded one, on one scale; again: what was open before</source>
        <translation>在录制的运行之下、以同一时间轴显示所选改动的预测运行；再按一次恢复之前打开的内容</translation>
    </message>
    <message>
        <source>%1, if: %2</source>
        <translation>%1，若：%2</translation>
    </message>
    <message>
        <source>Replaying with %1</source>
        <translation>正在按改动重放：%1</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WhatIfAssumptions</name>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Tick assumptions that hold, clear those that do not: the prediction is updated.</source>
        <translation>勾选成立的假设，取消不成立的：预测随之更新。</translation>
    </message>
    <message>
        <source>Filled: assumed. Ticked: it holds. Clear: it does not.</source>
        <translation>填充：假设成立。勾选：确认成立。清除：不成立。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WhatIfPanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>A bound: what else would change is unknown.</source>
        <translation>上限：其余部分如何变化未知。</translation>
    </message>
    <message>
        <source>Limit the changes to</source>
        <translation>改动的范围</translation>
    </message>
    <message>
        <source>Limit the changes to: select an event or a range for more</source>
        <translation>改动的范围：选中事件或时间范围后可选项更多</translation>
    </message>
    <message>
        <source>This “%1” at %2</source>
        <translation>位于 %2 的这个“%1”</translation>
    </message>
    <message>
        <source>All “%1”</source>
        <translation>所有“%1”</translation>
    </message>
    <message>
        <source>Reliable: it only moves recorded work.</source>
        <translation>可靠：只移动录制到的内容。</translation>
    </message>
    <message>
        <source>Good: it also leaves out, cuts or reorders work, which the recording cannot prove to be allowed.</source>
        <translation>良好：还会省去、拆分或调换一些工作，而录制无法证明可以这样做。</translation>
    </message>
    <message>
        <source>Conditional: launches limit the result, and recording slows them down.</source>
        <translation>有条件：结果受启动限制，而录制会使启动变慢。</translation>
    </message>
    <message>
        <source>The host reads data before anything has waited for it.</source>
        <translation>主机读取数据之前，没有任何操作等待过它。</translation>
    </message>
    <message>
        <source>%1 instead of %2: %3 less (%4).</source>
        <translation>%1，原为 %2：减少 %3（%4）。</translation>
    </message>
    <message>
        <source>%1 instead of %2: %3 more (%4).</source>
        <translation>%1，原为 %2：增加 %3（%4）。</translation>
    </message>
    <message>
        <source>%1, as recorded.</source>
        <translation>%1，与录制相同。</translation>
    </message>
    <message>
        <source>90 % interval: %1 to %2.</source>
        <translation>90% 区间：%1 到 %2。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>The predicted total with its interval; the dotted line is the recorded total</source>
        <translation>预测的总时间及其范围；虚线是录制的总时间</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Open a recording to see what each change would gain.</source>
        <translation>打开一份录制：这里列出每项改动的效果。</translation>
    </message>
    <message>
        <source>Replaying the recording with each change that applies…</source>
        <translation>正在用每项适用的改动重放此录制…</translation>
    </message>
    <message>
        <source>Stopped before all changes were replayed.</source>
        <translation>已停止，并非所有改动都已重放。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>As recorded</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>Ticked: %1</source>
        <translation>已勾选：%1</translation>
    </message>
    <message>
        <source>Choose a change, or tick some to try them together.</source>
        <translation>选择一项改动，或勾选几项一起尝试。</translation>
    </message>
    <message>
        <source>Replaying…</source>
        <translation>正在重放…</translation>
    </message>
    <message>
        <source>90 % interval: %1 to %2, instead of %3. Too wide for a single figure.</source>
        <translation>90% 区间：%1 到 %2，原为 %3：范围太宽，不给出单个数值。</translation>
    </message>
    <message>
        <source>90 % interval: %1 to %2, instead of %3. One figure needs an answer: does the work ahead come behind an iteration&apos;s launches?</source>
        <translation>90% 区间：%1 到 %2，原为 %3。要给出单个数值，先要回答：提前的工作是否放在本轮的启动之后？</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（共 %2）</translation>
    </message>
    <message>
        <source>Left out because replaying takes too long: %1</source>
        <translation>已略去，重放耗时过长：%1</translation>
    </message>
    <message>
        <source>Hide those under 0.5 %</source>
        <translation>隐藏不足 0.5% 的</translation>
    </message>
    <message>
        <source>%1 more under 0.5 %</source>
        <translation>另有 %1 项不足 0.5%</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WhatIfs</name>
    <message>
        <source>%1 (all of the recording)</source>
        <translation>%1（整个录制）</translation>
    </message>
</context>
<context>
    <name>lanes::gui::WhatIfAmounts</name>
    <message>
        <source>Buckets</source>
        <translation>桶数</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作进程数</translation>
    </message>
    <message>
        <source>Synchronise every</source>
        <translation>同步间隔（每几次一次）</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Fetch every</source>
        <translation>取回间隔（每几次一次）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>不取回</translation>
    </message>
    <message>
        <source>Launches per graph</source>
        <translation>每个图的启动数</translation>
    </message>
    <message>
        <source>as they repeat</source>
        <translation>按重复的周期</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>流的数量</translation>
    </message>
    <message>
        <source>Kernels: times as fast</source>
        <translation>内核：速度倍数</translation>
    </message>
    <message>
        <source>Copies: times as fast</source>
        <translation>拷贝：速度倍数</translation>
    </message>
    <message>
        <source>Iterations ahead</source>
        <translation>提前的迭代数</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>To stream</source>
        <translation>目标流</translation>
    </message>
</context>
<context>
    <name>lanes::gui::PredictionCheck</name>
    <message>
        <source>Run “%1” on the model</source>
        <translation>在模型上运行“%1”</translation>
    </message>
    <message>
        <source>Show the recorded “%1”</source>
        <translation>显示录制的“%1”</translation>
    </message>
    <message>
        <source>Run “%1” on this GPU</source>
        <translation>在此 GPU 上运行“%1”</translation>
    </message>
    <message>
        <source>“%1” on the model: %2, predicted %3 (%4 to %5).</source>
        <translation>“%1”在模型上：%2，预测为 %3（%4 到 %5）。</translation>
    </message>
    <message>
        <source>“%1” recorded: %2, predicted %3 (%4 to %5).</source>
        <translation>“%1”录制所得：%2，预测为 %3（%4 到 %5）。</translation>
    </message>
    <message>
        <source>That is outside the interval.</source>
        <translation>超出了区间。</translation>
    </message>
</context>
<context>
    <name>PrintedPage</name>
    <message>
        <source>the printer did not accept the job</source>
        <translation>打印机未接受任务</translation>
    </message>
    <message>
        <source>the printer did not accept another page</source>
        <translation>打印机未接受下一页</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Sessions</name>
    <message>
        <source>Sa&amp;ve session…</source>
        <translation>保存会话(&amp;V)…</translation>
    </message>
    <message>
        <source>Saves what is open with view, range, filter, marks, annotations and lanes, to be opened again</source>
        <translation>保存当前打开的内容及其视图、范围、筛选、标记、标注和泳道，以便再次打开</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Session (*.lanescope)</source>
        <translation>会话 (*.lanescope)</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>%1 changed since the session was saved: marks, range and view may not fit.</source>
        <translation>保存会话之后 %1 已更改：标记、范围和视图可能不再对应。</translation>
    </message>
</context>
<context>
    <name>lanes::gui::ScopeBar</name>
    <message>
        <source>Scope</source>
        <translation>统计范围</translation>
    </message>
    <message>
        <source>The part that all figures, findings, tables and exports are of</source>
        <translation>所有数据、发现、表格和导出针对的部分</translation>
    </message>
    <message>
        <source>&amp;Repeating part</source>
        <translation>重复部分(&amp;R)</translation>
    </message>
    <message>
        <source>All figures are of the part of a program that repeats, without its start-up</source>
        <translation>所有数据针对程序中重复的部分，不含启动</translation>
    </message>
    <message>
        <source>&amp;Visible</source>
        <translation>可见部分(&amp;V)</translation>
    </message>
    <message>
        <source>All figures are of what is in view, and follow it</source>
        <translation>所有数据针对可见部分，并随之更新</translation>
    </message>
    <message>
        <source>&amp;Selection</source>
        <translation>所选范围(&amp;S)</translation>
    </message>
    <message>
        <source>All figures are of the selected range; selecting one chooses this</source>
        <translation>所有数据针对所选范围；选出范围即选择此项</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全部(&amp;A)</translation>
    </message>
    <message>
        <source>All figures are of all that was recorded</source>
        <translation>所有数据针对整个录制</translation>
    </message>
    <message>
        <source>%L1 × %2 (mean)</source>
        <translation>%L1 × %2（平均）</translation>
    </message>
    <message>
        <source>One iteration</source>
        <translation>一次迭代</translation>
    </message>
</context>
<context>
    <name>Lesson</name>
    <message>
        <source>%1 · %2 min</source>
        <translation>%1 · %2 分钟</translation>
    </message>
</context>
<context>
    <name>LessonSlides</name>
    <message>
        <source>The rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>the slides cannot be painted</source>
        <translation>无法绘制幻灯片</translation>
    </message>
</context>
<context>
    <name>HeatPlaces</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 and more</source>
        <translation>%1 及以上</translation>
    </message>
</context>
<context>
    <name>JobPage</name>
    <message>
        <source>in each step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>in each %1</source>
        <translation>每 %1</translation>
    </message>
    <message>
        <source>nothing recorded</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>and more</source>
        <translation>及以上</translation>
    </message>
</context>
<context>
    <name>JobPicture</name>
    <message>
        <source>%1, each step</source>
        <translation>%1，每步</translation>
    </message>
    <message>
        <source>%1, each %2</source>
        <translation>%1，每 %2</translation>
    </message>
</context>
<context>
    <name>OpenJob</name>
    <message>
        <source>Exposed communication</source>
        <translation>未隐藏的通信</translation>
    </message>
    <message>
        <source>GPU idle</source>
        <translation>GPU 空闲</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时长</translation>
    </message>
    <message>
        <source>Waited for others</source>
        <translation>等待其他 rank</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>nothing recorded</source>
        <translation>没有记录</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>late with others%1: last in %2 of %3 collectives</source>
        <translation>与其他 rank 一起迟到%1：%3 次集合通信中有 %2 次最后到达</translation>
    </message>
    <message>
        <source>late%1: last in %2 of %3 collectives</source>
        <translation>迟到%1：%3 次集合通信中有 %2 次最后到达</translation>
    </message>
    <message>
        <source>median rank</source>
        <translation>中位 rank</translation>
    </message>
    <message>
        <source>waits %1 for %2 in %3</source>
        <translation>在 %3 中等了 %1，等的是 %2</translation>
    </message>
    <message>
        <source>last in %1: %2</source>
        <translation>在 %1 中最后到达：%2</translation>
    </message>
    <message>
        <source>all arrive within %1, most of them with the last</source>
        <translation>全部在 %1 内到达，大多与最后一个同时</translation>
    </message>
    <message>
        <source>%1 from the first to the last: not all of them wait for all</source>
        <translation>从第一个到最后一个相隔 %1：并非所有 rank 都等待全部</translation>
    </message>
    <message>
        <source>all arrive within %1: less than the clocks may be wrong</source>
        <translation>全部在 %1 内到达：小于时钟可能的误差</translation>
    </message>
    <message>
        <source>unclear: the clocks and the lengths of the kernels disagree</source>
        <translation>不明确：时钟与内核时长相互矛盾</translation>
    </message>
    <message>
        <source>the first of its group does not count: ranks start up</source>
        <translation>该组的第一次不计入：各 rank 还在启动</translation>
    </message>
</context>
<context>
    <name>lanes::gui::CombView</name>
    <message>
        <source>Arrivals of the ranks at one collective</source>
        <translation>各 rank 到达一次集合通信的时刻</translation>
    </message>
</context>
<context>
    <name>lanes::gui::HeatScale</name>
    <message>
        <source>Colours of the heat map</source>
        <translation>热图的颜色</translation>
    </message>
</context>
<context>
    <name>lanes::gui::HeatView</name>
    <message>
        <source>Heat map of ranks over time</source>
        <translation>各 rank 随时间变化的热图</translation>
    </message>
    <message>
        <source>Arrow keys choose a rank and a moment; keys of the lanes zoom and pan</source>
        <translation>方向键选择 rank 和时刻；缩放和平移的按键与泳道相同</translation>
    </message>
</context>
<context>
    <name>lanes::gui::JobView</name>
    <message>
        <source>Job of many ranks</source>
        <translation>多 rank 作业</translation>
    </message>
    <message>
        <source>in each step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>in each %1</source>
        <translation>每 %1</translation>
    </message>
</context>
<context>
    <name>lanes::gui::Jobs</name>
    <message>
        <source>Export &amp;map of ranks…</source>
        <translation>导出 rank 热图(&amp;M)…</translation>
    </message>
    <message>
        <source>Saves the heat map, the sentence and the table of a job as PNG, SVG, PDF or HTML</source>
        <translation>把作业的热图、结论和表格保存为 PNG、SVG、PDF 或 HTML</translation>
    </message>
    <message>
        <source>Close the &amp;job</source>
        <translation>关闭作业(&amp;J)</translation>
    </message>
    <message>
        <source>Closes the job of many ranks and the lanes of its ranks</source>
        <translation>关闭多 rank 作业及其各 rank 的泳道</translation>
    </message>
    <message>
        <source>Next &amp;measure of ranks</source>
        <translation>rank 的下一个指标(&amp;M)</translation>
    </message>
    <message>
        <source>Shows the next measure on the heat map: waited, exposed, idle, step time</source>
        <translation>让热图显示下一个指标：等待、未隐藏、空闲、每步时长</translation>
    </message>
    <message>
        <source>Heat map of the &amp;job</source>
        <translation>作业的热图(&amp;J)</translation>
    </message>
    <message>
        <source>Puts the keyboard into the heat map of a job</source>
        <translation>把键盘焦点移到作业的热图</translation>
    </message>
    <message>
        <source>The recording of %1 is not here: %2. Put it there, or beside %3.</source>
        <translation>%1 的录制不在这里：%2。请把它放回原处，或放在 %3 旁边。</translation>
    </message>
    <message>
        <source>The recording of %1 is not here: %2. This command fetches it: %3</source>
        <translation>%1 的录制不在本机：%2。用这条命令取回：%3</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>one clock</source>
        <translation>同一个时钟</translation>
    </message>
    <message>
        <source>the clocks cannot be compared</source>
        <translation>时钟无法比较</translation>
    </message>
    <message>
        <source>their first moments: the clocks cannot be compared</source>
        <translation>各自的起始时刻：两个时钟无法比较</translation>
    </message>
    <message>
        <source>the common clock, ± %1</source>
        <translation>公共时钟，± %1</translation>
    </message>
    <message>
        <source>Export the map of ranks</source>
        <translation>导出 rank 热图</translation>
    </message>
    <message>
        <source>Picture (*.png *.svg *.pdf);;Page (*.html)</source>
        <translation>图片 (*.png *.svg *.pdf);;网页 (*.html)</translation>
    </message>
    <message>
        <source>%1: unknown ending, expected .png, .svg, .pdf or .html</source>
        <translation>%1：未知的后缀，应为 .png、.svg、.pdf 或 .html</translation>
    </message>
</context>
<context>
    <name>RankColumns</name>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Its number in the job</source>
        <translation>它在作业中的编号</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Where it ran</source>
        <translation>它在哪台主机上运行</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>每步时长</translation>
    </message>
    <message>
        <source>How long a step took, the mean</source>
        <translation>一步的时长，取均值</translation>
    </message>
    <message>
        <source>19 of 20 steps took no longer</source>
        <translation>20 步中有 19 步不超过此时长</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>%1, each step</source>
        <translation>%1（每步）</translation>
    </message>
    <message>
        <source>Kernels that do not communicate</source>
        <translation>不做通信的内核</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>Communication beside no other kernel</source>
        <translation>没有其他内核同时运行的通信</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>The GPU did nothing</source>
        <translation>GPU 无事可做的时间</translation>
    </message>
    <message>
        <source>Idle between</source>
        <translation>其间空闲</translation>
    </message>
    <message>
        <source>The GPU did nothing, from its first operation to its last one</source>
        <translation>从第一个操作到最后一个操作，GPU 无事可做的时间</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>For other ranks in collectives</source>
        <translation>在集合通信中等待其他 rank 的时间</translation>
    </message>
    <message>
        <source>Costs others</source>
        <translation>其他 rank 的损失</translation>
    </message>
    <message>
        <source>By how much the others would be done earlier without it</source>
        <translation>没有它的话，其他 rank 能提前多少完成</translation>
    </message>
    <message>
        <source>Last in</source>
        <translation>最后到达</translation>
    </message>
    <message>
        <source>It came last to so many of its collectives</source>
        <translation>在这么多次集合通信中它最后到达</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>By how much its clock may be wrong against the first one</source>
        <translation>它的时钟相对第一个时钟可能的误差</translation>
    </message>
</context>
<context>
    <name>lanes::gui::RankTable</name>
    <message>
        <source>Ranks, worst first</source>
        <translation>各 rank，最差的在前</translation>
    </message>
</context>
</TS>
