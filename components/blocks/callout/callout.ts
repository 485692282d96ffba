import { Node } from '@tiptap/core'
import { calloutKinds, calloutNames } from '@/lib/blocks/callout/callout-kinds.ts'
import { callout as definition } from '@/lib/blocks/callout/callout.ts'
import { type EditorBlock, isOn } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { calloutIcons } from './callout-icons.ts'
import { addLineWithin, setCalloutKind } from './callout-commands.ts'
import { markdownCalloutRule } from './markdown-callout-rule.ts'

const extension = Node.create({
  ...nodeFields(definition),
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.command(addLineWithin) }
  },
  addInputRules() {
    return [markdownCalloutRule(this.type)]
  },
})

export const callout: EditorBlock = {
  extension,
  view: () => import('./callout-view.ts'),
  toolbar: {
    name: definition.strings.name!,
    Icon: calloutIcons.note,
    run: (chain) => chain.toggleWrap(definition.name),
    isOn: isOn(definition.name),
  },
  menuItems: calloutKinds.map((kind) => ({
    name: `${definition.strings.name}: ${calloutNames[kind].toLowerCase()}`,
    Icon: calloutIcons[kind],
    run: (chain) => chain.command(setCalloutKind(kind)),
  })),
}
