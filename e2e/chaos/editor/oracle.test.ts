/** What the chaos of editors must notice: bindings with one fault each. */
import { EditorState } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { EditorSubject, HeadlessEditor } from './editor-subject.ts'
import { type EditTrace, traceEdit } from './edit-trace.ts'
import { LetterOracle } from './letter-oracle.ts'
import { countStoredLetters } from './letters.ts'
import { runScript } from './run-script.ts'
import { generateScript, type Script, type ScriptStep } from './script.ts'
import { shortenScript } from './shorten-script.ts'
import { testedSubject } from './subject.ts'

const type = (by: number): ScriptStep => ({ type: 'act', by, act: 'type', numbers: [3, 1, 4, 1, 5, 9] })
const deliverAll: ScriptStep = { type: 'deliver all' }

const scriptOf = (...steps: ScriptStep[]): Script => ({
  seed: 5,
  writers: ['editor', 'editor', 'viewer', 'editor', 'editor'],
  steps,
})

/** A binding like the page's, with something done to each editor. */
const faultySubject = (
  spoil: (editor: HeadlessEditor, doc: Y.Doc, mayWrite: boolean) => Partial<HeadlessEditor> | void,
): EditorSubject => ({
  ...testedSubject,
  openEditor(doc, mayWrite) {
    const editor = testedSubject.openEditor(doc, mayWrite)
    const spoilt = spoil(editor, doc, mayWrite) ?? {}
    return {
      get state() {
        return editor.state
      },
      get isEditable() {
        return editor.isEditable
      },
      dispatch: (transaction) => editor.dispatch(transaction),
      undo: () => editor.undo(),
      redo: () => editor.redo(),
      endUndoStep: () => editor.endUndoStep(),
      destroy: () => editor.destroy(),
      ...spoilt,
    }
  },
})

const onReceipt = (doc: Y.Doc, run: () => void): void => {
  let isWaiting = true
  doc.on('afterAllTransactions', (_doc: Y.Doc, [transaction]: Y.Transaction[]) => {
    if (transaction?.local || !isWaiting) return
    isWaiting = false
    run()
  })
}

const deleteFirst = (doc: Y.Doc): void => doc.getXmlFragment('default').delete(0, 1)

const kindsOf = (script: Script, subject: EditorSubject): string[] =>
  runScript(script, subject).violations.map(({ kind }) => kind)

test('a binding without a fault passes', () => {
  expect(kindsOf(scriptOf(type(0), deliverAll, type(1), type(3)), testedSubject)).toEqual([])
})

test.each<[fault: string, expected: string, subject: EditorSubject]>([
  [
    'deletes a block on receiving',
    'writes while receiving',
    faultySubject((_editor, doc) => onReceipt(doc, () => deleteFirst(doc))),
  ],
  [
    'deletes a block on receiving, and nobody took it off the screen',
    'letters vanished',
    faultySubject((_editor, doc) => onReceipt(doc, () => deleteFirst(doc))),
  ],
  ['writes on opening', 'writes while opening', faultySubject((_editor, doc) => deleteFirst(doc))],
  [
    'lets a viewer write',
    'a viewer writes',
    faultySubject((_editor, doc, mayWrite) => (mayWrite ? {} : { dispatch: () => deleteFirst(doc) })),
  ],
  [
    'shows something else',
    'the screen is not the document',
    faultySubject(() => ({ state: EditorState.create({ schema: testedSubject.schema }) })),
  ],
  [
    'stores a block with each letter',
    'stores what was only shown',
    faultySubject((editor, doc) => ({
      dispatch: (transaction) => {
        editor.dispatch(transaction)
        if (transaction.docChanged) doc.getXmlFragment('default').push([new Y.XmlElement('paragraph')])
      },
    })),
  ],
  [
    'throws',
    'throws while acting',
    faultySubject(() => ({
      dispatch: () => {
        throw new Error('dispatch')
      },
    })),
  ],
])('a binding that %s is found: "%s"', (_fault, expected, subject) => {
  expect(
    kindsOf(
      scriptOf(type(0), { type: 'act', by: 2, act: 'select', numbers: [4] }, deliverAll, type(1)),
      subject,
    ),
  ).toContain(expected)
})

test('a script comes from its seed alone, and plays the same again', () => {
  expect(generateScript(7)).toEqual(generateScript(7))
  expect(generateScript(7)).not.toEqual(generateScript(8))
  const [one, other] = [
    runScript(generateScript(7), testedSubject),
    runScript(generateScript(7), testedSubject),
  ]
  expect(one).toEqual(other)
})

test('a failing script is shortened to the steps that it needs', () => {
  const lettersOf = ({ steps }: Script) => steps.filter((step) => step.type === 'act' && step.by === 1)
  const short = shortenScript(generateScript(3), (script) => lettersOf(script).length >= 2)
  expect(short.steps).toEqual(lettersOf(short))
  expect(short.steps).toHaveLength(2)
})

/** Somebody's letter reaches a client that edits the text because of it, within the same receipt. */
function receiveLetter(oracle: LetterOracle, edit: (text: Y.XmlFragment) => void): Y.Doc {
  const [author, client] = [new Y.Doc(), new Y.Doc()]
  author.getXmlFragment('default').insert(0, [new Y.XmlText('一')])
  const traces: EditTrace[] = []
  client.on(
    'afterTransaction',
    (transaction) => void (transaction.local && traces.push(traceEdit(transaction))),
  )
  const text = client.getXmlFragment('default')
  text.observeDeep((_events, { local }) => void (!local && edit(text)))
  const before = countStoredLetters(client)
  Y.applyUpdate(client, Y.encodeStateAsUpdate(author))
  oracle.recordEdit('stock', before, countStoredLetters(client), traces)
  return client
}

test('what a client deletes of what it has just received counts as deleted by its person', () => {
  const oracle = new LetterOracle()
  const [nothing, written] = [new Map<string, number>(), new Map([['一', 1]])]
  oracle.recordAct({
    by: 'a',
    act: 'type',
    shownBefore: nothing,
    shownAfter: written,
    storedBefore: nothing,
    storedAfter: written,
    hasRemovedUnknown: false,
    traces: [],
  })
  const client = receiveLetter(oracle, (text) => text.delete(0, 1))
  expect(oracle.findLosses(countStoredLetters(client)).vanished).toEqual([])
})

test('what a client has received while it wrote something else is not of its writing', () => {
  const oracle = new LetterOracle()
  const client = receiveLetter(oracle, (text) => text.insert(1, [new Y.XmlText('丁')]))
  // Who has written the letter replaces it in the same act, so that nobody has it at the end.
  client.getXmlFragment('default').delete(0, 1)
  expect(oracle.findLosses(countStoredLetters(client)).vanished).toEqual([])
  client.getXmlFragment('default').delete(0, 1)
  expect(oracle.findLosses(countStoredLetters(client)).vanished).toEqual(['丁'])
})
