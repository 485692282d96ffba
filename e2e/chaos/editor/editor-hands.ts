/** Runs the page's commands, keys and input rules on an editor that has no screen. */
import { type ChainedCommands, CommandManager, Editor, type SingleCommands } from '@tiptap/core'
import type { Schema } from '@tiptap/pm/model'
import type { EditorState, Plugin, Transaction } from '@tiptap/pm/state'
import { schemaExtensions } from '../../../components/editor/schema-extensions.ts'
import type { HeadlessEditor } from './editor-subject.ts'

/** What commands and keys read of an editor's view. */
interface ViewLike {
  readonly state: EditorState
  readonly composing: false
  readonly editable: true
  readonly isDestroyed: false
  dispatch(transaction: Transaction): void
  updateState(): void
  nodeDOM(at: number): null
  hasFocus(): boolean
  /** A line is never wrapped where there is no screen. */
  endOfTextblock(direction: string, state?: EditorState): boolean
}

const handsBySchema = new Map<Schema, EditorHands>()

export function handsFor(schema: Schema): EditorHands {
  const existing = handsBySchema.get(schema)
  if (existing) return existing
  const created = new EditorHands(schema)
  handsBySchema.set(schema, created)
  return created
}

/** One Tiptap editor serves all writers of a run: it borrows the state and the dispatch of whoever acts. */
export class EditorHands {
  readonly #tiptap: Editor
  readonly #commands: CommandManager
  readonly #plugins: readonly Plugin[]
  #editor: HeadlessEditor | null = null

  constructor(schema: Schema) {
    const content = { type: 'doc', content: [{ type: 'paragraph' }] }
    this.#tiptap = new Editor({ element: null, extensions: schemaExtensions, content })
    const { extensionManager } = this.#tiptap
    extensionManager.schema = schema
    Object.defineProperties(this.#tiptap, {
      schema: { value: schema },
      state: { get: () => this.#current.state },
      view: { value: this.#createView() },
    })
    this.#commands = new CommandManager({ editor: this.#tiptap })
    this.#plugins = extensionManager.plugins
  }

  run(editor: HeadlessEditor, act: (commands: SingleCommands) => unknown): void {
    this.#with(editor, () => act(this.#commands.commands))
  }

  /** Runs what an item of a menu does. */
  runChain(editor: HeadlessEditor, act: (chain: ChainedCommands) => ChainedCommands): void {
    this.#with(editor, () => act(this.#commands.chain()).run())
  }

  /** Returns whether anything answered to the key: `Enter`, `Mod-Enter`, `Shift-Tab`. */
  press(editor: HeadlessEditor, key: string): boolean {
    const parts = key.split('-')
    const event = {
      key: parts.at(-1)!,
      ctrlKey: parts.includes('Mod'),
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
      metaKey: false,
      keyCode: 0,
    }
    return this.#with(editor, () => this.#offer('handleKeyDown', event as unknown as KeyboardEvent))
  }

  /** Types at the selection, letter by letter: input rules may turn them into something else. */
  type(editor: HeadlessEditor, text: string): void {
    this.#with(editor, () => {
      for (const letter of text) {
        const { from, to } = editor.state.selection
        const insert = () => editor.state.tr.insertText(letter, from, to)
        if (!this.#offer('handleTextInput', from, to, letter, insert)) editor.dispatch(insert())
      }
    })
  }

  #offer(name: 'handleKeyDown' | 'handleTextInput', ...args: readonly unknown[]): boolean {
    const { view } = this.#tiptap
    return this.#plugins.some((plugin) => {
      const handler = plugin.props[name] as ((this: Plugin, ...args: unknown[]) => unknown) | undefined
      return handler?.call(plugin, view, ...args) === true
    })
  }

  get #current(): HeadlessEditor {
    if (!this.#editor) throw new Error('Nobody is acting.')
    return this.#editor
  }

  #with<Result>(editor: HeadlessEditor, act: () => Result): Result {
    this.#editor = editor
    try {
      return act()
    } finally {
      this.#editor = null
    }
  }

  #createView(): ViewLike {
    const current = () => this.#current
    return {
      get state() {
        return current().state
      },
      composing: false,
      editable: true,
      isDestroyed: false,
      dispatch: (transaction) => current().dispatch(transaction),
      updateState() {},
      nodeDOM: () => null,
      hasFocus: () => true,
      endOfTextblock(direction, { selection } = current().state) {
        const { $head } = selection
        const isAtStart = $head.parentOffset === 0
        const isAtEnd = $head.parentOffset === $head.parent.content.size
        if (direction === 'up' || direction === 'down') return true
        return ['backward', 'left'].includes(direction) ? isAtStart : isAtEnd
      },
    }
  }
}
