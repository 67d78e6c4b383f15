'use strict';
// Switches of the first page: language and colours, kept for the lessons' pages where the browser allows it.
(() => {
  const root = document.documentElement;
  const remembered = (key, value) => {
    try {
      if (value !== undefined) localStorage.setItem('lanescope.' + key, value);
      return localStorage.getItem('lanescope.' + key);
    } catch (error) {
      return null;
    }
  };
  if (/^(light|dark)$/.test(remembered('theme') || '')) root.dataset.theme = remembered('theme');
  if (remembered('language')) root.lang = remembered('language') === 'zh_CN' ? 'zh-CN' : 'en';
  const isDark = () => (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const button = act => {
    const made = document.createElement('button');
    made.addEventListener('click', () => {
      act();
      say();
    });
    document.getElementById('tools').append(made);
    return made;
  };
  const theme = button(() => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remembered('theme', root.dataset.theme);
  });
  const language = button(() => {
    root.lang = root.lang === 'en' ? 'zh-CN' : 'en';
    remembered('language', root.lang === 'en' ? 'en' : 'zh_CN');
  });
  const say = () => {
    const english = root.lang === 'en';
    theme.textContent = isDark() ? (english ? 'Light' : '浅色') : english ? 'Dark' : '深色';
    language.textContent = english ? '中文' : 'English';
    document.title = (english ? 'Lanescope: ' : 'Lanescope：') + document.querySelector(`h1 [lang="${root.lang}"]`).textContent;
  };
  say();
})();
