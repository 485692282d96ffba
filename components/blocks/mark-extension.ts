import { Mark, type InputRuleFinder, markInputRule } from '@tiptap/core'
import type { MarkDefinition } from '@/lib/blocks/definitions.ts'
import { markFields } from './schema-fields.ts'

interface MarkEditing {
  /** As ProseMirror writes keys. `Mod-B` is what a browser reports with Caps Lock on. */
  readonly keys: readonly string[]
  /** What is typed around letters to mark them. */
  readonly typed?: readonly InputRuleFinder[]
  /** The right arrow leaves the mark at the end of its line. */
  readonly exitable?: boolean
}

/** An extension for a mark without attributes: its keys switch it on and off. */
export const markExtension = (
  definition: MarkDefinition,
  { keys, typed = [], exitable = false }: MarkEditing,
): Mark =>
  Mark.create({
    ...markFields(definition),
    exitable,
    addKeyboardShortcuts() {
      const toggle = () => this.editor.commands.toggleMark(definition.name)
      return Object.fromEntries(keys.map((key) => [key, toggle]))
    },
    addInputRules() {
      return typed.map((find) => markInputRule({ find, type: this.type }))
    },
  })
