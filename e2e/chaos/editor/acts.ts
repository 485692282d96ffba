/** What a person does in an editor. Where an act finds nothing to do, it does nothing. */
import type { SingleCommands } from '@tiptap/core'
import { Fragment, Node, Slice } from '@tiptap/pm/model'
import { AllSelection, NodeSelection, Selection, TextSelection } from '@tiptap/pm/state'
import { canJoin, dropPoint } from '@tiptap/pm/transform'
import { insertLinkCard } from '../../../components/blocks/link-card/link-card-commands.ts'
import { insertTable } from '../../../components/blocks/table/insert-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  goToCell,
  moveColumns,
  moveRows,
  resizeColumns,
  splitCells,
  toggleHead,
} from '../../../components/blocks/table/table-commands.ts'
import { loadTableKeys } from '../../../components/blocks/table/table-keys.ts'
import { toggleBlocks } from '../../../components/blocks/toggle/toggle-commands.ts'
import { deleteBlocks } from '../../../components/editor/block-actions/edit-blocks.ts'
import { replaceSelection } from '../../../components/editor/paste/replace-selection.ts'
import { sectionAt } from '../../../lib/text/headings.ts'
import { canShiftSection, moveSection, shiftSection } from '../../../lib/text/move-section.ts'
import { treeOf } from '../../../lib/text/tree.ts'
import {
  type Act,
  type ActContext,
  beforePair,
  placeCaret,
  placeIn,
  select,
  withNewLetters,
} from './act-context.ts'
import type { Choices } from './choices.ts'
import {
  duplicateByHandle,
  insertFile,
  insertFromMenu,
  insertMention,
  moveByHandle,
  onBlocks,
  stepByHandle,
} from './handle-acts.ts'
import { randomBlocks } from './random-blocks.ts'
import {
  inTable,
  mergeTwoCells,
  pasteCells,
  placeCaretInCell,
  selectCells,
  tableCommand,
} from './table-acts.ts'

// Tab in a table does something at once then.
await loadTableKeys()

/** With how often each is chosen. */
const weightedActs = {
  type: [10, (context) => (placeCaret(context), typeAtCaret(context))],
  'type on': [6, typeAtCaret],
  'type over': [3, (context) => (selectInBlock(context), typeWord(context))],
  compose: [3, (context) => (placeCaret(context), compose(context))],
  'type markdown': [4, (context) => (placeCaretAtStart(context), typeMarkdown(context))],
  Enter: [6, (context) => (placeCaret(context), press(context, 'Enter'))],
  'Enter twice': [2, (context) => (placeCaret(context), press(context, 'Enter'), press(context, 'Enter'))],
  'Shift-Enter': [2, (context) => (placeCaret(context), press(context, 'Shift-Enter'))],
  Backspace: [4, (context) => (placeCaret(context), press(context, 'Backspace'))],
  'Backspace at start': [5, (context) => (placeCaretAtStart(context), press(context, 'Backspace'))],
  Delete: [3, (context) => (placeCaret(context), press(context, 'Delete'))],
  Tab: [3, (context) => (placeCaret(context), press(context, 'Tab'))],
  'Shift-Tab': [3, (context) => (placeCaret(context), press(context, 'Shift-Tab'))],
  'Mod-Enter': [1, (context) => (placeCaret(context), press(context, 'Mod-Enter'))],
  'delete range': [4, (context) => (selectRange(context), deleteSelection(context))],
  'delete letters': [4, (context) => (selectInBlock(context), deleteSelection(context))],
  'delete block': [6, (context) => (selectBlock(context), deleteSelection(context))],
  'set paragraph': [2, command((run) => run.setNode('paragraph'))],
  'set heading': [
    3,
    command((run, choices) => run.toggleNode('heading', 'paragraph', { level: choices.pick([1, 2, 3]) })),
  ],
  'toggle code block': [2, command((run) => run.toggleNode('codeBlock', 'paragraph'))],
  'toggle quote': [3, command((run) => run.toggleWrap('blockquote'))],
  'toggle callout': [2, command((run) => run.toggleWrap('callout'))],
  'toggle a toggle': [3, command((run) => run.command(toggleBlocks))],
  'make a link card': [2, command((run) => run.command(insertLinkCard))],
  'toggle bullets': [3, command((run) => run.toggleList('bulletList', 'listItem'))],
  'toggle numbers': [3, command((run) => run.toggleList('orderedList', 'listItem'))],
  'toggle tasks': [3, command((run) => run.toggleList('taskList', 'taskItem'))],
  'lift item': [2, command((run) => run.liftListItem('listItem'))],
  'sink item': [2, command((run) => run.sinkListItem('listItem'))],
  'lift task': [2, command((run) => run.liftListItem('taskItem'))],
  'sink task': [2, command((run) => run.sinkListItem('taskItem'))],
  'clear blocks': [1, command((run) => run.clearNodes())],
  join: [3, joinBlocks],
  'toggle mark': [6, (context) => (selectInBlock(context), toggleMark(context))],
  'toggle marks': [2, onRange(toggleMark)],
  'clear marks': [1, command((run) => run.unsetAllMarks())],
  'set link': [2, (context) => (selectInBlock(context), setLink(context))],
  'insert rule': [2, onRange(insertRule)],
  'check task': [4, (context) => setAttribute(context, 'taskItem')],
  'set attribute': [3, (context) => setAttribute(context, 'other')],
  'paste blocks': [3, onRange(pasteBlocks)],
  'paste copy': [4, pasteCopy],
  'move block': [3, moveBlock],
  'step by handle': [3, stepByHandle],
  'move by handle': [3, moveByHandle],
  'duplicate by handle': [1, duplicateByHandle],
  'delete by handle': [1, onBlocks(deleteBlocks)],
  'insert from menu': [3, (context) => (placeCaret(context), insertFromMenu(context))],
  'insert file': [1, (context) => (placeCaret(context), insertFile(context))],
  'insert mention': [2, (context) => (placeCaret(context), insertMention(context))],
  'move section': [2, moveOneSection],
  'shift section': [1, shiftOneSection],
  'replace all': [0.3, replaceAll],
  'insert table': [1, onRange(tableCommand(() => insertTable(2, 2)))],
  'add column': [3, inTable((choices) => addColumn(choices.pick(['before', 'after'])))],
  'add row': [3, inTable((choices) => addRow(choices.pick(['before', 'after'])))],
  'delete columns': [2, inTable(() => deleteColumns)],
  'delete rows': [2, inTable(() => deleteRows)],
  'move columns': [3, inTable((choices) => moveColumns(choices.pick([-1, 1])))],
  'move rows': [3, inTable((choices) => moveRows(choices.pick([-1, 1])))],
  'align columns': [1, inTable((choices) => alignColumns(choices.pick(['left', 'center', null])))],
  'toggle head': [1, inTable((choices) => toggleHead(choices.pick(['headerRow', 'headerColumn'])))],
  'merge cells': [3, mergeTwoCells],
  'split cells': [1, inTable(() => splitCells)],
  'delete cells': [2, (context) => void (selectCells(context) && deleteSelection(context))],
  'paste cells': [3, pasteCells],
  'resize columns': [1, inTable((choices) => resizeColumns(choices.pick([-40, 40])))],
  'next cell': [1, inTable((choices) => goToCell(choices.pick([-1, 1])))],
  'type in cell': [6, (context) => void (placeCaretInCell(context) && typeWord(context))],
  select: [2, onRange(() => {})],
  undo: [6, ({ editor }) => editor.undo()],
  redo: [4, ({ editor }) => editor.redo()],
  'end undo step': [5, ({ editor }) => editor.endUndoStep()],
} satisfies Record<string, readonly [weight: number, act: Act]>

export type ActName = keyof typeof weightedActs

/** A seed's script picks one of these: each is there as often as its weight says. */
export const actDraws = (Object.keys(weightedActs) as ActName[]).flatMap((name) =>
  Array.from({ length: Math.ceil(weightedActs[name][0]) }, () => name),
)

/** Acts of which the caret stands within one text block, and which write nothing but letters. */
export const typingActs: ReadonlySet<string> = new Set<ActName>(['type', 'type on', 'compose'])

export const playAct = (name: ActName, context: ActContext): void => weightedActs[name][1](context)

// Selections

function placeCaretAtStart(context: ActContext): void {
  const { state } = context.editor
  const starts: number[] = []
  state.doc.descendants((node, at) => void (node.isTextblock && starts.push(at + 1)))
  if (starts.length > 0) select(context, TextSelection.create(state.doc, context.choices.pick(starts)))
}

function selectInBlock(context: ActContext): void {
  placeCaret(context)
  const { editor, choices } = context
  const { doc, selection } = editor.state
  const { $from } = selection
  if (!$from.parent.isTextblock) return
  const from = beforePair(doc, $from.start() + choices.below($from.parent.content.size + 1))
  const length = choices.below(4)
  const to = beforePair(doc, Math.min($from.end(), from + length))
  select(context, TextSelection.create(doc, from, to))
}

function selectRange(context: ActContext): void {
  const { editor, choices } = context
  const { state } = editor
  const anchor = placeIn(state, choices)
  // Mostly near: long ranges would soon leave nothing to write in.
  const reach = choices.oneIn(6) ? state.doc.content.size : 8
  const head = beforePair(state.doc, Math.min(state.doc.content.size, anchor + choices.below(reach + 1)))
  select(context, TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head)))
}

function onRange(act: Act): Act {
  return (context) => {
    selectRange(context)
    act(context)
  }
}

/** Runs a command on a range. */
function command(run: (commands: SingleCommands, choices: Choices) => unknown): Act {
  return onRange(({ hands, editor, choices }) => hands.run(editor, (commands) => run(commands, choices)))
}

/** A small one rather than a large one. */
function selectBlock(context: ActContext): void {
  const { state } = context.editor
  const blocks: number[] = []
  state.doc.descendants((node, at) => {
    if (!node.isBlock || !NodeSelection.isSelectable(node)) return
    blocks.push(at)
    if (node.isTextblock) blocks.push(at, at)
  })
  if (blocks.length > 0) select(context, NodeSelection.create(state.doc, context.choices.pick(blocks)))
}

// Letters

function typeAtCaret(context: ActContext): void {
  if (collapseToCaret(context)) typeWord(context)
}

/** Puts the caret into a line where something else is selected. Returns false where there is none. */
function collapseToCaret(context: ActContext): boolean {
  const { selection } = context.editor.state
  if (selection instanceof TextSelection && selection.empty) return true
  const { $head } = selection
  const caret = Selection.findFrom($head, 1, true) ?? Selection.findFrom($head, -1, true)
  if (caret) select(context, caret)
  return caret !== null
}

function typeWord({ editor, hands, choices, letters }: ActContext): void {
  hands.type(editor, letters.word(1 + choices.below(3)))
}

/** An input method replaces what it has just written, again and again. */
function compose(context: ActContext): void {
  if (!collapseToCaret(context)) return
  const { editor, choices, letters } = context
  const { from } = editor.state.selection
  let length = 0
  for (let count = 0; count < 2 + choices.below(3); count++) {
    const word = letters.word(1 + choices.below(2))
    editor.dispatch(editor.state.tr.insertText(word, from, from + length))
    length = word.length
  }
}

const markdownStarts = [
  '# ',
  '## ',
  '- ',
  '1. ',
  '> ',
  '``` ',
  '[ ] ',
  '[x] ',
  '[!TIP] ',
  '+++ ',
  '---',
  '**',
] as const

function typeMarkdown(context: ActContext): void {
  const { editor, hands, choices, letters } = context
  const start = choices.pick(markdownStarts)
  hands.type(editor, start === '**' ? `**${letters.word(2)}**` : start)
}

function press(context: ActContext, key: string): void {
  const { editor, hands } = context
  const { $from } = editor.state.selection
  // Tiptap parses its two spaces as HTML, for which it needs a browser.
  if (key === 'Tab' && $from.parent.type.spec.code) return editor.dispatch(editor.state.tr.insertText('  '))
  if (hands.press(editor, key)) return
  if (key === 'Backspace' || key === 'Delete') deleteLetter(context, key)
}

/** What the browser does by itself. */
function deleteLetter({ editor }: ActContext, key: 'Backspace' | 'Delete'): void {
  const { selection, tr, doc } = editor.state
  const { $from, empty, from } = selection
  if (!empty) return editor.dispatch(tr.deleteSelection())
  const neighbour = key === 'Backspace' ? $from.nodeBefore : $from.nodeAfter
  if (!neighbour?.isInline) return
  const step = key === 'Backspace' ? -1 : 1
  let to = from + step
  if (neighbour.isText && beforePair(doc, to) !== to) to += step
  editor.dispatch(tr.delete(Math.min(from, to), Math.max(from, to)))
}

function deleteSelection({ editor, hands }: ActContext): void {
  hands.run(editor, (run) => run.deleteSelection())
}

// Marks and attributes

const markNames = ['bold', 'italic', 'underline', 'strike', 'code'] as const

function toggleMark({ editor, hands, choices }: ActContext): void {
  const name = choices.pick(markNames)
  hands.run(editor, (run) => run.toggleMark(name))
}

function setLink({ editor, hands, choices }: ActContext): void {
  const href = `https://example.org/${choices.below(3)}`
  hands.run(editor, (run) => (choices.oneIn(3) ? run.unsetMark('link') : run.setMark('link', { href })))
}

const attributeValues: Record<string, readonly [name: string, values: readonly unknown[]]> = {
  taskItem: ['checked', [true, false]],
  heading: ['level', [1, 2, 3, 4, 5, 6]],
  orderedList: ['start', [1, 2, 7]],
  callout: ['kind', ['note', 'tip', 'warning']],
  codeBlock: ['language', [null, 'js', 'python']],
  picture: ['percent', [null, 25, 50]],
  linkCard: ['href', ['', 'https://example.org/', 'https://example.org/a']],
}

function setAttribute({ editor, choices }: ActContext, kind: 'taskItem' | 'other'): void {
  const { doc, tr } = editor.state
  const found: [at: number, node: Node][] = []
  doc.descendants((node, at) => {
    if (attributeValues[node.type.name] && (node.type.name === 'taskItem') === (kind === 'taskItem'))
      found.push([at, node])
  })
  if (found.length === 0) return
  const [at, node] = choices.pick(found)
  const [name, values] = attributeValues[node.type.name]!
  const others = values.filter((value) => value !== node.attrs[name])
  editor.dispatch(tr.setNodeAttribute(at, name, choices.pick(others)))
}

// Blocks

function joinBlocks({ editor, choices }: ActContext): void {
  const { doc, tr } = editor.state
  const places: number[] = []
  doc.descendants((node, at, _parent, index) => {
    const before = doc.resolve(at).nodeBefore
    if (index > 0 && before?.type === node.type && canJoin(doc, at)) places.push(at)
  })
  if (places.length > 0) editor.dispatch(tr.join(choices.pick(places)))
}

function insertRule({ editor }: ActContext): void {
  const { schema, tr } = editor.state
  editor.dispatch(tr.replaceSelectionWith(schema.nodes.horizontalRule!.create()))
}

function pasteBlocks(context: ActContext): void {
  const { editor, choices, letters } = context
  const blocks = randomBlocks(1 + choices.below(2), { choices, letters })
  const content = Fragment.from(blocks.map((block) => Node.fromJSON(editor.state.schema, block)))
  paste(context, choices.oneIn(2) ? Slice.maxOpen(content, false) : new Slice(content, 0, 0))
}

const paste = ({ editor }: ActContext, slice: Slice): void =>
  editor.dispatch(replaceSelection(editor.state, slice))

/** With new letters, so that it stays known which is which. Unknown parts are pasted as they are. */
function pasteCopy(context: ActContext): void {
  selectRange(context)
  const copied = context.editor.state.selection.content()
  placeCaret(context)
  const content = copied.content.content.map((node) => withNewLetters(node, context.letters))
  paste(context, new Slice(Fragment.from(content), copied.openStart, copied.openEnd))
}

/** By the mouse: deleted and inserted in one transaction, as ProseMirror does on a drop. */
function moveBlock(context: ActContext): void {
  selectBlock(context)
  const { editor, choices } = context
  const { state } = editor
  if (!(state.selection instanceof NodeSelection)) return
  const slice = state.selection.content()
  const target = placeIn(state, choices)
  const at = dropPoint(state.doc, target, slice) ?? target
  const tr = state.tr.deleteSelection()
  const mapped = tr.mapping.map(at)
  tr.replaceRange(mapped, mapped, slice)
  editor.dispatch(tr)
}

function replaceAll(context: ActContext): void {
  select(context, new AllSelection(context.editor.state.doc))
  if (context.choices.oneIn(2)) pasteBlocks(context)
  else typeWord(context)
}

/** Panels write into the Yjs document, not by the editor. */
function moveOneSection({ doc, choices }: ActContext): void {
  const text = doc.getXmlFragment('default')
  const blocks = treeOf(text)
  const headings = blocks.flatMap(({ name }, index) => (name === 'heading' ? [index] : []))
  if (headings.length === 0) return
  moveSection(text, sectionAt(blocks, choices.pick(headings)), choices.below(blocks.length + 1), 'outline')
}

function shiftOneSection({ doc, choices }: ActContext): void {
  const text = doc.getXmlFragment('default')
  const blocks = treeOf(text)
  const headings = blocks.flatMap(({ name }, index) => (name === 'heading' ? [index] : []))
  if (headings.length === 0) return
  const [index, by] = [choices.pick(headings), choices.pick([-1, 1])]
  if (canShiftSection(blocks, index, by)) shiftSection(text, index, by, 'outline')
}
