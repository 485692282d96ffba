/** A link that trusts no attribute of a shared text: a `class` of somebody's could lay one link over the whole window. */
import { Link } from '@tiptap/extension-link'
import { link as definition } from '@/lib/blocks/link/link.ts'
import { safeHref } from '@/lib/text/link-address.ts'
import { loadLinkify } from '@/lib/tiptap-in-pages/linkifyjs.ts'
import type { EditorBlock } from '../editor-block.ts'
import { markFields } from '../schema-fields.ts'
import { markdownLinkRule } from './markdown-link-rule.ts'

const extension = Link.extend({
  ...markFields(definition),
  // Until it is loaded, only addresses that name their protocol become links.
  onFocus: () => void loadLinkify(),
  addInputRules() {
    return [markdownLinkRule(this.type)]
  },
}).configure({
  openOnClick: false,
  defaultProtocol: 'https',
  isAllowedUri: (url) => safeHref(url) !== null,
})

export const link: EditorBlock = { extension }
