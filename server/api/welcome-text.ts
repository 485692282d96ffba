/** What a new guest reads first. It promises only what works today. */
import { strings as connection } from '../../lib/strings/connection.ts'
import { strings as inspector } from '../../lib/strings/inspector.ts'
import { strings as panels } from '../../lib/strings/panels.ts'
import type { RichTextBlock, InlineText } from './write-blocks.ts'

export const welcomeTitle = 'Welcome to Diptych'

const bold = (text: string): InlineText => ({ text, bold: true })
const code = (text: string): InlineText => ({ text, code: true })

export const welcomeText: readonly RichTextBlock[] = [
  {
    kind: 'paragraph',
    text: [
      'Hello! This page is yours: write in it, tick things off, or delete it. ',
      'It takes two minutes to see what makes Diptych different.',
    ],
  },
  { kind: 'heading', level: 2, text: ['Try it'] },
  {
    kind: 'tasks',
    items: [
      [
        bold('Two windows. '),
        'Open this page in a second window beside this one. Type in either: the other follows.',
      ],
      [
        bold('A panel of its own. '),
        'Open ',
        bold('Windows'),
        ', choose Outline, and open it in its own window: on a second screen, or on your phone by its code. Close this page, and it goes on.',
      ],
      [
        bold('Another road. '),
        'Press the dot with the word ',
        bold(connection.dot.up),
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
        bold('Windows'),
        `, choose ${panels.entries.connection.name}, and press `,
        bold(inspector.simulator.cut),
        ' under ',
        bold(inspector.simulator.title),
        '. Write on: as soon as the connection is back, so is your text, in every window.',
      ],
      [
        bold('Company. '),
        'Choose ',
        bold('Share'),
        ' and send the link, to read only or to write along. Revoke it, and the door is shut again.',
      ],
    ],
  },
  { kind: 'heading', level: 2, text: ['Writing'] },
  {
    kind: 'bullets',
    items: [
      [
        code('##'),
        ' and a space begin a heading, ',
        code('-'),
        ' a list, ',
        code('[ ]'),
        ' a task, ',
        code('>'),
        ' a quote.',
      ],
      [
        'Text can be ',
        bold('bold'),
        ', ',
        { text: 'italic', italic: true },
        ' or ',
        code('code'),
        '; put stars or backticks around it, or use the keyboard.',
      ],
      ['Undo takes back your own changes, never somebody else’s.'],
    ],
  },
  { kind: 'heading', level: 2, text: ['From a program'] },
  {
    kind: 'paragraph',
    text: [
      'A program can write along. Make a link with ',
      bold('Share'),
      ', take its token, and run this in the folder of Diptych, with ',
      code('npx node'),
      ' and the http address:',
    ],
  },
  {
    kind: 'code',
    language: 'js',
    text: [
      "import { openDocument } from './lib/client.ts'",
      '',
      'const page = openDocument({ url, document, token })',
      'await page.whenSynced',
      "page.doc.getText('title').insert(0, 'Hello: ')",
      'await page.whenSaved()',
      'await page.close()',
    ].join('\n'),
  },
  {
    kind: 'paragraph',
    text: [
      'Already have an editor built on Yjs? The provider of ',
      { text: 'y-websocket', link: 'https://github.com/yjs/y-websocket' },
      ' connects to ',
      code('/yjs'),
      ' just as it is, with ',
      code("protocols: ['diptych.token.…']"),
      ' and the token of a link. The text is the XML fragment ',
      code('default'),
      '.',
    ],
  },
  { kind: 'rule' },
  // A paragraph comes last: after anything else the editor would add one, so that merely opening the document would be an edit.
  { kind: 'paragraph', text: [{ text: 'A diptych is one picture on two panels.', italic: true }] },
]
