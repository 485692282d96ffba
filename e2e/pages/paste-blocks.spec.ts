/** Blocks and marks of other programs, as they put them on the clipboard, are kept. What arrives is read as Markdown. */
import type { XmlElement } from 'yjs'
import { markdownOf } from '../../lib/text/markdown.ts'
import { treeOf } from '../../lib/text/tree.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { type ClipboardContent, pasteInto } from '../fixtures/paste.ts'
import { expect, test } from '../fixtures/test.ts'

const html = (content: string): ClipboardContent => ({ 'text/html': content })

const pasteCases: readonly (readonly [string, ClipboardContent, string])[] = [
  [
    'callouts of Notion',
    html(
      '<meta charset="utf-8"><!-- notionvc: 3c --><aside>💡 Mind <strong>this</strong>.</aside><aside>⚠️<p>Hot.</p></aside>' +
        '<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">📌</span></div><div style="width:100%">Pinned.</div></figure>',
    ),
    '> [!TIP]\n> Mind **this**.\n\n> [!WARNING]\n> Hot.\n\n> [!IMPORTANT]\n> Pinned.\n',
  ],
  [
    'callouts of GitHub and of documentation',
    html(
      '<div class="markdown-alert markdown-alert-caution" dir="auto"><p class="markdown-alert-title" dir="auto"><svg></svg>Caution</p><p dir="auto">Sharp.</p></div>' +
        '<div class="admonition tip"><p class="admonition-title">Tip</p><p>Save often.</p></div>' +
        '<div class="theme-admonition theme-admonition-danger alert alert--danger"><div class="admonitionHeading_Gvgb"><span></span>danger</div><div><p>Stop.</p></div></div>' +
        '<aside><p>Beside the text.</p></aside>',
    ),
    '> [!WARNING]\n> Sharp.\n\n> [!TIP]\n> Save often.\n\n> [!WARNING]\n> Stop.\n\nBeside the text.\n',
  ],
  ['a callout in Markdown', { 'text/plain': '> [!NOTE]\n> Mind the gap.' }, '> [!NOTE]\n> Mind the gap.\n'],
  [
    'toggles of Notion and of GitHub',
    html(
      '<ul id="1b" class="toggle"><li><details open=""><summary>More</summary><p>inside</p></details></li></ul>' +
        '<details><summary><h3 dir="auto">Part</h3></summary><p dir="auto">within</p></details>',
    ),
    '<details>\n<summary>More</summary>\n\ninside\n\n</details>\n\n<details>\n<summary>Part</summary>\n\nwithin\n\n</details>\n',
  ],
  [
    'code of GitHub, Notion, Sphinx and Docusaurus',
    html(
      '<div class="highlight highlight-source-ts notranslate" dir="auto"><pre><span class="pl-k">const</span> a = <span class="pl-c1">1</span></pre></div>' +
        '<pre id="2c" class="code"><code class="language-JavaScript">let b\nlet c</code></pre>' +
        '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> d\n</pre></div></div>' +
        '<pre tabindex="0" class="prism-code language-bash"><code><span class="token-line">cd e<br></span><span class="token-line">ls<br></span></code></pre><pre>plain</pre>',
    ),
    '```typescript\nconst a = 1\n```\n\n```javascript\nlet b\nlet c\n```\n\n```python\nimport d\n```\n\n```bash\ncd e\nls\n```\n\n```\nplain\n```\n',
  ],
  [
    'highlights of Google Docs, Word, Notion and pages',
    html(
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="background-color:#ffff00;font-weight:400">yellow</span> <span style="background-color:#b6d7a8">green</span></p></b>' +
        "<p class=MsoNormal><span style='background:aqua;mso-highlight:aqua'>blue</span></p>" +
        '<p><mark class="highlight-pink_background">pink</mark> <mark class="highlight-red">red letters</mark> <mark>page</mark></p>',
    ),
    '<mark>yellow</mark> <mark data-color="green">green</mark>\n\n<mark data-color="blue">blue</mark>\n\n<mark data-color="pink">pink</mark> red letters <mark>page</mark>\n',
  ],
  [
    'raised and lowered letters of Google Docs, Word and pages',
    html(
      '<p><span style="font-size:0.6em;vertical-align:super">1</span> x<span style="vertical-align:sub">2</span></p><p class=MsoNormal>H<sub>2</sub>O m<sup>2</sup></p>',
    ),
    '<sup>1</sup> x<sub>2</sub>\n\nH<sub>2</sub>O m<sup>2</sup>\n',
  ],
  [
    'tasks of Notion',
    html(
      '<ul id="3d" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li></ul>' +
        '<ul id="4e" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">todo</span></li></ul>',
    ),
    '- [x] done\n\n+ [ ] todo\n',
  ],
  ['a table of contents in Markdown', { 'text/plain': '# A\n\n[TOC]\n\n## B\n' }, '# A\n\n[TOC]\n\n## B\n'],
]

test('blocks and marks of other programs are kept', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  test.slow()
  const document = await createDocument()
  const window = await openWindow(document.url('editor'))
  const writer = await openWriter(server.origin(scheme), document)
  const body = writer.doc.getXmlFragment('default')
  for (const [name, clipboard, expected] of pasteCases)
    await test.step(name, async () => {
      await window.text.focus()
      await window.page.keyboard.press('Control+a')
      await window.page.keyboard.press('Backspace')
      await window.page.keyboard.press('Control+Alt+0')
      await expect.poll(() => markdownOf(treeOf(body)).trim()).toBe('')
      await pasteInto(window.text, clipboard)
      await expect.poll(() => markdownOf(treeOf(body)).trim(), name).toBe(expected.trim())
    })
  await writer.close()
})

test('the alignment of lines is kept, and quotes that are nested without end become lines @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const { page, text, saveState } = await openWindow(document.url('editor'))
  const writer = await openWriter(server.origin(scheme), document)
  const body = writer.doc.getXmlFragment('default')
  await text.click()
  await pasteInto(
    text,
    html(
      '<p dir="ltr" style="line-height:1.38;text-align: center;"><span>Docs</span></p><p class=MsoNormal align=right style="text-align:right">Word</p>' +
        '<div style="text-align: justify"><p>page</p><p style="text-align: left">own</p></div><div align="center">box</div><center><h2>old</h2></center>',
    ),
  )
  const aligned = () =>
    (body.toArray() as XmlElement[]).map((block) => (block.getAttribute('align') as unknown) ?? '')
  await expect.poll(aligned).toEqual(['center', 'end', 'justify', '', 'center', 'center'])

  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await pasteInto(text, html(`${'<blockquote>'.repeat(2_000)}innermost`))
  await expect(
    page.getByText('Quotes and lists that were nested too deep were pasted as lines.'),
  ).toBeVisible()
  await expect(text).toContainText('innermost')
  await expect(saveState).toHaveText('Saved')
  await expect.poll(() => body.toJSON()).toContain('innermost')
  expect(body.toJSON().split('<blockquote').length).toBeLessThan(50)
  await writer.close()
})
