import { Mark } from '@tiptap/core'
import { link as definition } from '@/lib/blocks/link/link.ts'
import { loadLinkify } from '@/lib/tiptap-in-pages/linkifyjs.ts'
import type { EditorBlock } from '../editor-block.ts'
import { markFields } from '../schema-fields.ts'
import { autolinkPlugin, pastedAddressRule } from './autolink.ts'
import { markdownLinkRule } from './markdown-link-rule.ts'

const extension = Mark.create({
  ...markFields(definition),
  priority: 1000,
  // The right arrow leaves it at the end of its line.
  exitable: true,
  keepOnSplit: false,
  // Until it is loaded, only addresses that name their protocol become links.
  onFocus: () => void loadLinkify(),
  addInputRules() {
    return [markdownLinkRule(this.type)]
  },
  addPasteRules() {
    return [pastedAddressRule(this.type)]
  },
  addProseMirrorPlugins() {
    return [autolinkPlugin(this.type)]
  },
})

export const link: EditorBlock = { extension }
