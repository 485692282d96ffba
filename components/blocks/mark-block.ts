import { Mark, type InputRuleFinder, markInputRule } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'
import type { MarkDefinition } from '@/lib/blocks/definitions.ts'
import { type EditorBlock, isOn } from './editor-block.ts'
import { markFields } from './schema-fields.ts'

interface MarkEditing {
  readonly keys: string
  readonly Icon: LucideIcon
  /** A person types these signs around letters to mark them. */
  readonly typed?: readonly InputRuleFinder[]
  /** The right arrow leaves the mark at the end of its line. */
  readonly exitable?: boolean
}

/** A mark without attributes: its button and its keys switch it on and off. */
export const markBlock = (
  definition: MarkDefinition,
  { keys, Icon, typed = [], exitable = false }: MarkEditing,
): EditorBlock => ({
  extension: Mark.create({
    ...markFields(definition),
    exitable,
    addInputRules() {
      return typed.map((find) => markInputRule({ find, type: this.type }))
    },
  }),
  toolbar: {
    name: definition.strings.name,
    keys,
    Icon,
    run: (chain) => chain.toggleMark(definition.name),
    isOn: isOn(definition.name),
  },
})
