/**
 * Links and code blocks that trust no attribute of a shared text: anybody who may write can store anything there without an editor. A
 * `class` of theirs could lay one link over the whole window.
 */
import { CodeBlock } from '@tiptap/extension-code-block'
import { Link } from '@tiptap/extension-link'
import { markdownLinkRule } from './markdown-link-rule.ts'
import { loadLinkify } from '../../lib/tiptap-in-pages/linkifyjs.ts'
import { safeHref } from '../../lib/text/link-address.ts'

export const SafeLink = Link.extend({
  // Text typed right after a link is not part of it.
  inclusive: false,
  // Until it is loaded, only addresses that name their protocol become links.
  onFocus: () => void loadLinkify(),
  addAttributes() {
    return { href: { default: null } }
  },
  addInputRules() {
    return [markdownLinkRule(this.type)]
  },
  renderHTML({ HTMLAttributes }) {
    const href = safeHref(HTMLAttributes.href)
    return href ? ['a', { ...this.options.HTMLAttributes, href }, 0] : ['span', 0]
  },
}).configure({
  openOnClick: false,
  defaultProtocol: 'https',
  isAllowedUri: (url) => safeHref(url) !== null,
})

const languageClass = (prefix: string | null | undefined, language: unknown): string | null =>
  typeof language === 'string' && /^[\w+#-]{1,40}$/.test(language) ? `${prefix ?? ''}${language}` : null

export const SafeCodeBlock = CodeBlock.extend({
  renderHTML({ node, HTMLAttributes }) {
    const className = languageClass(this.options.languageClassPrefix, node.attrs.language)
    return ['pre', HTMLAttributes, ['code', { class: className }, 0]]
  },
})
