/** The typeface of the pages, in one variable font file. */
export const fontFace = (path: string) =>
  `@font-face { font-family: Inter; font-weight: 100 900; font-display: swap; src: url('${path}') format('woff2'); }\n`;

/** The stylesheet of the API reference, with a dark mode. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b5f67; --line: #e6e8eb; --paper: #fbfbfa; --shade: #f2f3f3; --accent: #0d6e6e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef0; --soft: #b0b4ba; --line: #2a2e32; --paper: #121416; --shade: #22262a; --accent: #5cc2bf; }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); font: 15px/1.55 Inter, system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem; border-right: 1px solid var(--line); font-size: 14px; }
nav p { margin: 0 0 0.75rem; }
nav .name { display: block; color: var(--ink); font-weight: 650; font-size: 1.1rem; margin-bottom: 1rem; }
nav ul { list-style: none; margin: 0.25rem 0 0.75rem; padding-left: 1rem; }
nav li { margin: 0.2rem 0; }
nav h2 { font-size: 14px; font-weight: 400; margin: 0.5rem 0; padding-left: 1rem; }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 68rem; }
h1 { font-size: 1.9rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 0.5rem; }
h3 { font-size: 1.08rem; margin: 0; }
h4 { font-size: 0.85rem; text-transform: uppercase; letter-spacing: 0.04em; color: var(--soft); margin: 1.25rem 0 0.35rem; }
article { border-top: 1px solid var(--line); padding: 1.5rem 0; scroll-margin-top: 0; }
a { color: var(--accent); text-underline-offset: 3px; }
nav a { color: var(--soft); text-decoration: none; }
nav a:hover { text-decoration: underline; }
summary { padding: 0.2rem 0; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.86em/1.5 ui-monospace, monospace; }
code { background: var(--shade); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; overflow: auto; max-height: 22rem; }
table { border-collapse: collapse; width: 100%; font-size: 14px; display: block; overflow-x: auto; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td b { font-size: 0.75em; color: var(--soft); font-weight: 600; }
.address { margin: 0.35rem 0 0.75rem; }
.address b { font: 600 0.8em ui-monospace, monospace; padding: 0.15em 0.5em; border-radius: 4px; border: 1px solid var(--line); }
.small, small { color: var(--soft); font-size: 0.85em; font-weight: 400; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; } }
`;
