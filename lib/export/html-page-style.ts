/** The style of an exported page: as the text looks here, in the light, in the dark and on paper. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #2b2620; --muted: #6d655c; --line: #ddd8d1; --sunk: #f4f1ed; --paper: #fdfcfa; --accent: #3949ab; }
@media (prefers-color-scheme: dark) { @media not print { :root { --ink: #ebe7e1; --muted: #aca498; --line: #45403a; --sunk: #26231f; --paper: #191714; --accent: #aab6ff; } } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.65 Charter, 'Source Serif 4', Georgia, serif; }
main, .comments { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1, h2, h3, h4, h5, h6 { margin: 1.6em 0 0.5em; line-height: 1.25; break-after: avoid; }
.title { margin: 0 0 1em; font-size: 2.25rem; }
p, ul, ol, pre, figure, blockquote, details, .card, .table, div.math { margin: 0 0 0.9em; }
p:empty::before, h1:empty::before, summary:empty::before { content: '\\200b'; }
li > p { margin: 0 0 0.25em; }
a { color: var(--accent); }
[data-align=center] { text-align: center; } [data-align=end], [data-align=right] { text-align: end; } [data-align=left] { text-align: left; } [data-align=justify] { text-align: justify; }
blockquote { margin-inline: 0; padding: 0 1.2em; border-inline-start: 3px solid var(--line); color: var(--muted); }
blockquote[data-callout] { padding: 0.7em 1.2em; border-color: var(--accent); background: var(--sunk); color: inherit; }
blockquote[data-callout]::before { content: attr(data-label); display: block; font: 600 0.85rem/1.8 system-ui, sans-serif; }
blockquote[data-callout=tip] { border-color: #3d8f62; } blockquote[data-callout=important] { border-color: #a8327f; } blockquote[data-callout=warning] { border-color: #b4791c; }
ul[data-type=taskList] { list-style: none; padding-inline-start: 0.3em; } ul[data-type=taskList] > li { display: flex; align-items: baseline; gap: 0.6em; } ul[data-type=taskList] > li > div { flex: 1; min-width: 0; }
pre { padding: 0.9em 1.1em; border-radius: 0.5rem; background: var(--sunk); overflow-x: auto; font-size: 0.9rem; line-height: 1.5; }
code { font-family: ui-monospace, Consolas, monospace; } :not(pre) > code { padding: 0.1em 0.3em; border-radius: 0.25rem; background: var(--sunk); font-size: 0.9em; }
mark { background: #fdeea3; color: inherit; } mark[data-color=green] { background: #c9edcf; } mark[data-color=blue] { background: #c8e0fb; } mark[data-color=pink] { background: #fbd0e2; }
@media (prefers-color-scheme: dark) { @media not print { mark { background: #5d5110; } mark[data-color=green] { background: #1e5631; } mark[data-color=blue] { background: #1d4a7a; } mark[data-color=pink] { background: #6d2348; } } }
summary { cursor: pointer; font-weight: 600; }
blockquote > :last-child, details > :last-child, li > div > :last-child { margin-bottom: 0; }
hr { margin: 2em 0; border: 0; border-top: 1px solid var(--line); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.95em; } th, td { min-width: 3em; padding: 0.4em 0.7em; border: 1px solid var(--line); vertical-align: top; text-align: start; } th { background: var(--sunk); } td > :last-child, th > :last-child { margin-bottom: 0; }
figure { margin-inline: 0; } figure img { max-width: 100%; height: auto; vertical-align: top; } figcaption { color: var(--muted); font-size: 0.9em; }
figure[data-percent='25'] img { width: 25%; } figure[data-percent='33'] img { width: 33%; } figure[data-percent='50'] img { width: 50%; } figure[data-percent='67'] img { width: 67%; } figure[data-percent='75'] img { width: 75%; } figure[data-percent='100'] img { width: 100%; }
.missing { padding: 2em; border: 1px dashed var(--line); color: var(--muted); text-align: center; }
.card { padding: 0.8em 1.1em; border: 1px solid var(--line); border-radius: 0.6rem; overflow-wrap: anywhere; } .card a, .card small { font-size: 0.9em; }
div.math { overflow: auto hidden; }
nav ul { padding: 0; list-style: none; } .level-2 { margin-inline-start: 1.2em; } .level-3 { margin-inline-start: 2.4em; } .level-4, .level-5, .level-6 { margin-inline-start: 3.6em; }
.comment-number { font: 0.7rem system-ui, sans-serif; } .comments { border-top: 1px solid var(--line); font-size: 0.95rem; } .comments .by { margin: 0.6em 0 0; color: var(--muted); } .comments li { margin-bottom: 1.5em; } .place { text-decoration: none; } .resolved { color: var(--muted); font-style: italic; }
@page { margin: 18mm 16mm 20mm; @bottom-center { content: counter(page); font: 9pt system-ui, sans-serif; color: #6d655c; } }
@media print { body { background: none; font-size: 11pt; orphans: 3; widows: 3; } main, .comments { max-width: none; padding: 0; } .comments { padding-top: 2em; } tr, img, pre, .card, .math { break-inside: avoid; } summary, .comments h2 { break-after: avoid; } figure { break-inside: avoid; } .table, pre, div.math { overflow: visible; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } blockquote[data-callout], th, mark, pre { print-color-adjust: exact; } thead { display: table-header-group; } a[href^=http]::after { content: ' (' attr(href) ')'; font-size: 0.8em; overflow-wrap: anywhere; } nav a::after { content: none; } }
`
