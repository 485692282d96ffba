import { Node, wrappingInputRule } from '@tiptap/core'
import type { Node as DocumentNode } from '@tiptap/pm/model'
import type { NodeDefinition } from '@/lib/blocks/definitions.ts'
import { nodeFields } from './schema-fields.ts'

interface ListEditing {
  readonly item: string
  /** As ProseMirror writes keys. */
  readonly keys: string
  readonly typed?: {
    readonly find: RegExp
    readonly getAttributes?: (match: RegExpMatchArray) => Record<string, unknown>
    /** Whether a line that is typed after a list goes on with it. */
    readonly joinPredicate?: (match: RegExpMatchArray, list: DocumentNode) => boolean
  }
}

/** A list of items. What Enter, Tab and Backspace do in it belongs to its items. */
export const listExtension = (definition: NodeDefinition, { item, keys, typed }: ListEditing): Node =>
  Node.create({
    ...nodeFields(definition),
    addKeyboardShortcuts() {
      return { [keys]: () => this.editor.commands.toggleList(this.name, item) }
    },
    addInputRules() {
      return typed ? [wrappingInputRule({ ...typed, type: this.type })] : []
    },
  })
