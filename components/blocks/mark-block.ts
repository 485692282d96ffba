import { Mark, type InputRuleFinder, markInputRule } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'
import type { MarkDefinition } from '@/lib/blocks/definitions.ts'
import { type EditorBlock, isOn } from './editor-block.ts'
import { markFields } from './schema-fields.ts'

interface MarkTyping {
  /** A person types these signs around letters to mark them. */
  readonly typed?: readonly InputRuleFinder[]
  /** The right arrow leaves the mark at the end of its line. */
  readonly exitable?: boolean
}

interface MarkEditing extends MarkTyping {
  readonly keys: string
  readonly Icon: LucideIcon
}

export const markExtension = (
  definition: MarkDefinition,
  { typed = [], exitable = false }: MarkTyping = {},
) =>
  Mark.create({
    ...markFields(definition),
    exitable,
    addInputRules() {
      return typed.map((find) => markInputRule({ find, type: this.type }))
    },
  })

/** A mark without attributes: its button and its keys switch it on and off. */
export const markBlock = (
  definition: MarkDefinition,
  { keys, Icon, ...typing }: MarkEditing,
): EditorBlock => ({
  extension: markExtension(definition, typing),
  toolbar: {
    name: definition.strings.name,
    keys,
    Icon,
    run: (chain) => chain.toggleMark(definition.name),
    isOn: isOn(definition.name),
  },
})
