import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

const CLASS_PREFIX = 'language-'

/**
 * The language of a code block; null unless the value looks like one. Anything else could be a `class` that lays one block over the whole
 * window.
 */
export const codeLanguageOf = ({ language }: StoredAttributes): string | null =>
  typeof language === 'string' && /^[\w+#-]{1,40}$/.test(language) ? language : null

export function codeClassOf(attributes: StoredAttributes): string | undefined {
  const language = codeLanguageOf(attributes)
  return language === null ? undefined : CLASS_PREFIX + language
}

export const codeBlock: NodeDefinition = {
  name: 'codeBlock',
  schema: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { language: { default: null } },
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (block) => ({ language: languageIn(block.firstElementChild) }),
      },
    ],
    toDOM: ({ attrs }) => ['pre', ['code', { class: codeClassOf(attrs) ?? null }, 0]],
  },
  strings: { kind: () => 'code', name: 'Code block', words: 'source program pre' },
}

function languageIn(code: Element | null): string | null {
  const name = [...(code?.classList ?? [])].find((one) => one.startsWith(CLASS_PREFIX))
  return name?.slice(CLASS_PREFIX.length) || null
}
