/** What a new guest reads first. It promises only what works today. */
import { connectionStrings } from '../../lib/strings/connection.ts'
import { inspectorStrings } from '../../lib/strings/inspector.ts'
import { panelsStrings } from '../../lib/strings/panels.ts'
import { windowsStrings } from '../../lib/strings/windows.ts'
import type { JsonNode } from '../../lib/blocks/json-node.ts'
import { createCaption } from '../../lib/blocks/caption/create-caption.ts'
import { createTable } from '../../lib/blocks/table/table-markdown.ts'

export const welcomeTitle = 'Welcome to Diptych'

type Line = readonly (string | JsonNode)[]

const marked = (text: string, type: string, attrs = {}): JsonNode => ({
  type: 'text',
  text,
  marks: [{ type, attrs }],
})
const bold = (text: string): JsonNode => marked(text, 'bold')
const code = (text: string): JsonNode => marked(text, 'code')

const lettersOf = (line: Line): JsonNode[] =>
  line.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
const paragraph = (...line: Line): JsonNode => ({ type: 'paragraph', content: lettersOf(line) })
const heading = (text: string): JsonNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: lettersOf([text]),
})
const list = (type: string, item: Omit<JsonNode, 'content'>, lines: readonly Line[]): JsonNode => ({
  type,
  content: lines.map((line) => ({ ...item, content: [paragraph(...line)] })),
})

/** @param day On which the guest comes; it stands in the text as an example. */
export const createWelcomeText = (day: string): readonly JsonNode[] => [
  paragraph(
    'Hello! This page is yours: write in it, tick things off, or delete it. ',
    'It takes two minutes to see what makes Diptych different.',
  ),
  { type: 'tableOfContents' },
  heading('Try it'),
  list('taskList', { type: 'taskItem', attrs: { checked: false } }, [
    [
      bold('Two windows. '),
      'Open this page in a second window beside this one. Type in either: the other follows.',
    ],
    [
      bold('A panel of its own. '),
      'Open ',
      bold(windowsStrings.menu.panels),
      ', choose Outline, and open it in its own window: on a second screen, or on your phone by its code. Close this page, and it goes on.',
    ],
    [
      bold('Another road. '),
      'Press the dot with the word ',
      bold(connectionStrings.dot.up),
      ' at the top (on a phone, the dot alone), and change the transport in the middle of a word. No letter is lost, and you never have to stop typing.',
    ],
    [
      bold('An honest word. '),
      'Watch the save state while you type. ',
      bold('Saved'),
      ' means that your text is on the server’s disk, and nothing less.',
    ],
    [
      bold('A bad network. '),
      'Open ',
      bold(windowsStrings.menu.panels),
      `, choose ${panelsStrings.entries.connection.name}, and press `,
      bold(inspectorStrings.simulator.cut),
      ' under ',
      bold(inspectorStrings.simulator.title),
      '. Write on: as soon as the connection is back, so is your text, in every window.',
    ],
    [
      bold('Company. '),
      'Choose ',
      bold('Share'),
      ' and send the link, to read only or to write along. Revoke it, and the door is shut again.',
    ],
  ]),
  heading('Writing'),
  list('bulletList', { type: 'listItem' }, [
    [code('/'), ' lists all blocks there are. Those in the table below can be typed, too.'],
    [
      code('@'),
      ' names a person, another document, or a day such as ',
      { type: 'date', attrs: { day } },
      ', which each reader sees as their language writes it.',
    ],
    [
      'Text can be ',
      bold('bold'),
      ', ',
      marked('italic', 'italic'),
      ', ',
      marked('highlighted', 'highlight'),
      ' or ',
      code('code'),
      ': put stars or backticks around it, or select it.',
    ],
    [
      'The handle beside a block drags it somewhere else. A click on it copies its link, or turns it into another block.',
    ],
    [
      'A formula stands between dollars: ',
      { type: 'inlineMath', attrs: { latex: String.raw`e^{i\pi} + 1 = 0` } },
      '.',
    ],
    ['Undo takes back your own changes, never somebody else’s.'],
  ]),
  createTable(
    [
      [['Type this and a space'], ['and get']],
      [[code('##')], ['a heading']],
      [[code('-')], ['a list, or with ', code('1.'), ' a numbered one']],
      [[code('[ ]')], ['a task']],
      [[code('>')], ['a quote']],
      [[code('[TOC]')], ['a table of contents, as at the top']],
    ].map((row) => row.map(lettersOf)),
    [null, null],
  ),
  {
    type: 'callout',
    attrs: { kind: 'tip' },
    content: [
      paragraph(
        code('[!TIP]'),
        ' and a space make a callout such as this one. Its word is a menu of the other kinds.',
      ),
    ],
  },
  {
    type: 'toggle',
    content: [
      { type: 'toggleSummary', content: lettersOf(['What is in a toggle?']) },
      paragraph(
        'What not everybody needs to read. Begin one with ',
        code('+++'),
        ' and a space. Whether it is open is each reader’s own choice.',
      ),
    ],
  },
  heading('From a program'),
  paragraph(
    'A program can write along. Make a link with ',
    bold('Share'),
    ', take its token, and run this in the folder of Diptych, with ',
    code('npx node'),
    ' and the http address:',
  ),
  {
    type: 'codeBlock',
    attrs: { language: 'js' },
    content: lettersOf([
      [
        "import { openDocument } from './lib/client.ts'",
        '',
        'const page = openDocument({ url, document, token })',
        'await page.whenSynced',
        "page.doc.getText('title').insert(0, 'Hello: ')",
        'await page.whenSaved()',
        'await page.close()',
      ].join('\n'),
    ]),
  },
  paragraph(
    'Already have an editor built on Yjs? The provider of y-websocket connects to ',
    code('/yjs'),
    ' just as it is, with ',
    code("protocols: ['diptych.token.…']"),
    ' and the token of a link. The text is the XML fragment ',
    code('default'),
    '.',
  ),
  {
    type: 'linkCard',
    attrs: { href: 'https://github.com/yjs/y-websocket' },
    content: [createCaption('y-websocket, the provider of Yjs')],
  },
  { type: 'horizontalRule' },
  // A paragraph comes last: after anything else the editor would add one, so that merely opening the document would be an edit.
  paragraph(marked('A diptych is one picture on two panels.', 'italic')),
]
