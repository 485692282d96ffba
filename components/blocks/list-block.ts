import { Node, wrappingInputRule } from '@tiptap/core'
import type { Node as DocumentNode } from '@tiptap/pm/model'
import type { LucideIcon } from 'lucide-react'
import type { NodeDefinition } from '@/lib/blocks/definitions.ts'
import { type EditorBlock, isOn } from './editor-block.ts'
import { nodeFields } from './schema-fields.ts'

interface ListEditing {
  readonly item: string
  readonly keys: string
  readonly Icon: LucideIcon
  readonly typed?: {
    readonly find: RegExp
    readonly getAttributes?: (match: RegExpMatchArray) => Record<string, unknown>
    /** Whether a line that is typed after a list goes on with it. */
    readonly joinPredicate?: (match: RegExpMatchArray, list: DocumentNode) => boolean
  }
}

/** A list of items. What Enter, Tab and Backspace do in it belongs to its items. */
export const listBlock = (
  definition: NodeDefinition,
  { item, keys, Icon, typed }: ListEditing,
): EditorBlock => ({
  extension: Node.create({
    ...nodeFields(definition),
    addInputRules() {
      return typed ? [wrappingInputRule({ ...typed, type: this.type })] : []
    },
  }),
  toolbar: {
    name: definition.strings.name!,
    words: definition.strings.words!,
    keys,
    Icon,
    run: (chain) => chain.toggleList(definition.name, item),
    isOn: isOn(definition.name),
  },
})
