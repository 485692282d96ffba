import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { type ClipboardContent, pasteInto, pastePictureInto } from '../fixtures/paste.ts'

async function pasteContent(window: DocumentWindow, clipboard: ClipboardContent): Promise<void> {
  await window.focusEnd()
  await pasteInto(window.text, clipboard)
}

/** Returns the elements of the text, such as `ul(li(p:a))`. */
const readOutline = ({ text }: DocumentWindow): Promise<string> =>
  text.evaluate((root) => {
    const outlineOf = (element: Element): string => {
      const name = element.localName
      if (name === 'label' || name === 'button') return ''
      if (name === 'div') return childrenOutlineOf(element)
      if (name === 'ol') return `ol${element.getAttribute('start') ?? 1}(${childrenOutlineOf(element)})`
      if (name === 'li') {
        const checked = (element as HTMLElement).dataset.checked
        return `${checked === undefined ? 'li' : checked === 'true' ? 'done' : 'todo'}(${childrenOutlineOf(element)})`
      }
      return ['p', 'pre', 'h1', 'h2'].includes(name)
        ? `${name}:${element.textContent.replaceAll('\u2060', '')}`
        : `${name}(${childrenOutlineOf(element)})`
    }
    const childrenOutlineOf = (element: Element): string =>
      [...element.children].map(outlineOf).filter(Boolean).join(' ')
    return childrenOutlineOf(root)
  })

const toastIn = (page: Page) => page.locator('[data-sonner-toast]')

const createWordParagraph = (level: number, marker: string, letters: string): string =>
  `<p class=MsoListParagraph style='margin-left:36pt;mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
  `<span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;</span></span>` +
  `<![endif]>${letters}<o:p></o:p></p>\n`

const pasteCases: readonly (readonly [string, ClipboardContent, string, string?])[] = [
  [
    'tables and a picture',
    {
      'text/html':
        '<p>Before</p><table><tr><th>Name</th><th>Age</th></tr><tr><td><p>Ada</p></td><td><b>36</b></td></tr></table>' +
        '<table><tr><td>x</td><td>y</td></tr></table><p>After <img src="https://example.org/a.png"></p>',
    },
    'p:Before table(colgroup(col() col()) tbody(tr(th(p:Name) th(p:Age)) tr(td(p:Ada) td(p:36)))) ' +
      'table(colgroup(col() col()) tbody(tr(td(p:x) td(p:y)))) p:After',
    '1 image could not be pasted.',
  ],
  [
    'a table that only lays a page out, and a drawn smiley',
    {
      'text/html':
        '<table role="presentation"><tr><td><h1>Hi</h1><p>Ada <img alt="😀" src="https://example.org/a.png"></p></td></tr></table>',
    },
    'h1:Hi p:Ada 😀',
  ],
  [
    'lists of Word',
    {
      'text/html': `<html><body><!--StartFragment-->${createWordParagraph(1, '·', 'one')}${createWordParagraph(2, 'o', 'two')}${createWordParagraph(1, '·', 'three')}<p class=MsoNormal>between</p>${createWordParagraph(1, '3.', 'four')}${createWordParagraph(2, 'a)', 'five')}${createWordParagraph(1, '4.', 'six')}<!--EndFragment--></body></html>`,
    },
    'ul(li(p:one ul(li(p:two))) li(p:three)) p:between ol3(li(p:four ol1(li(p:five))) li(p:six))',
  ],
  [
    'a picture and a style sheet of Word',
    {
      'text/html':
        '<html><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {font-size:12.0pt;} --></style></head>' +
        "<body lang=EN-US><!--StartFragment--><p class=MsoNormal style='margin:0cm'>before<o:p></o:p></p>" +
        '<p class=MsoNormal><span><img width=200 src="file:///C:/clip_image001.png"><o:p>&nbsp;</o:p></span></p>' +
        '<p class=MsoNormal>after</p><ul><li>one</li><li><img src="file:///C:/clip_image002.png"></li></ul><!--EndFragment--></body></html>',
    },
    'p:before p:after ul(li(p:one))',
    '2 images could not be pasted.',
  ],
  [
    'an empty paragraph',
    { 'text/html': '<style>p { color: red }</style><p>before</p><p><br></p><p>after</p>' },
    'p:before p: p:after',
  ],
  [
    'a checklist of a page',
    {
      'text/html':
        '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> done</li>' +
        '<li class="task-list-item"><input type="checkbox" disabled> todo<ul><li><input type="checkbox" checked> part</li></ul></li>' +
        '<li>plain</li></ul>',
    },
    'ul(done(p:done) todo(p:todo ul(done(p:part)))) ul(li(p:plain))',
  ],
  [
    'a checklist of Google Docs',
    {
      'text/html':
        '<ul><li role="checkbox" aria-checked="true"><img src="data:image/png;base64,AA" aria-roledescription="checkbox"><p role="presentation">a</p></li>' +
        '<li role="checkbox" aria-checked="false"><img src="data:image/png;base64,AA"><p role="presentation">b</p></li></ul>',
    },
    'ul(done(p:a) todo(p:b))',
  ],
  [
    'Markdown',
    { 'text/plain': '# Title\n\n- [ ] todo\n- [x] done\n\n```ts\nconst a = 1\n```\n\n![x](y.png)\n' },
    'h1:Title ul(todo(p:todo) done(p:done)) pre:const a = 1',
    '1 image could not be pasted.',
  ],
  ['a line with a star', { 'text/plain': '* see *below*' }, 'p:* see *below*'],
  ['code', { 'text/plain': '# Load it\nimport json' }, 'p:# Load it p:import json'],
  [
    'Markdown out of an editor of code',
    {
      'text/plain': '## Part',
      'text/html': '<div style="white-space: pre"><span>## Part</span></div>',
      'vscode-editor-data': '{"version":1,"mode":"markdown"}',
    },
    'h2:Part',
  ],
]

test('what is pasted is kept, and what cannot be kept is named', async ({ createDocument, openWindow }) => {
  test.slow()
  const window = await openWindow((await createDocument()).url('editor'))
  const { page, text } = window
  for (const [name, clipboard, expected, lossMessage] of pasteCases) {
    await test.step(name, async () => {
      await text.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Control+Alt+0')
      await expect.poll(() => readOutline(window)).toBe('p:')
      await pasteContent(window, clipboard)
      await expect.poll(() => readOutline(window), name).toBe(expected)
      if (lossMessage) await expect(toastIn(page)).toContainText(lossMessage)
    })
  }
  await expect(window.saveState).toHaveText('Saved')
})

test('a pasted picture is reported as lost, and Shift pastes Markdown as it is @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await window.focusEnd()
  await pastePictureInto(text)
  await expect(toastIn(page)).toContainText('1 image could not be pasted.')
  await page.keyboard.down('Shift')
  await pasteContent(window, { 'text/plain': '# Title\n\n- [ ] todo' })
  await page.keyboard.up('Shift')
  await expect.poll(() => readOutline(window)).toBe('p:# Title p:- [ ] todo')
  await page.keyboard.press('Control+/')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Paste as plain text')
})

test('what is copied as plain text has a line for each block', async ({ editorWindow: window }) => {
  await pasteContent(window, { 'text/plain': 'a\n\n- b\n- c\n\nd' })
  await expect.poll(() => readOutline(window)).toBe('p:a ul(li(p:b) li(p:c)) p:d')
  await window.page.keyboard.press('Control+a')
  const copied = await window.text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/plain')
  })
  expect(copied).toBe('a\nb\nc\nd')
})

test('Markdown becomes tasks, links and headings as it is typed', async ({ editorWindow: window }) => {
  const { page, text } = window
  await window.focusEnd()
  await page.keyboard.type('- [ ] call\n\n- [x] [Ada](https://example.org/)\n\n#### Deep')
  await expect.poll(() => readOutline(window)).toBe('ul(todo(p:call) done(p:Ada)) h4()')
  await expect(text.getByRole('link', { name: 'Ada' })).toHaveAttribute('href', 'https://example.org/')
  await expect(page.getByRole('button', { name: 'Paragraph style: Heading 4' })).toBeVisible()
})
