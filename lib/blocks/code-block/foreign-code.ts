/** Code of other pages becomes plain letters with the name of their language, wherever a page names that. */
import { codeClassOf } from './code-block.ts'
import { codeLanguageNamed } from './code-languages.ts'

export function convertCode(body: HTMLElement): void {
  for (const pre of body.querySelectorAll('pre')) {
    const code = pre.ownerDocument.createElement('code')
    const className = codeClassOf({ language: languageOf(pre) })
    if (className !== undefined) code.className = className
    code.textContent = lettersOf(pre)
    pre.replaceChildren(code)
  }
}

const noLetters = 'button, [aria-hidden=true], .lineno, .linenos, .line-numbers-rows'

/** Some pages put each line into an element. */
function lettersOf(pre: Element): string {
  for (const element of pre.querySelectorAll(noLetters)) element.remove()
  for (const end of pre.querySelectorAll('br')) end.replaceWith('\n')
  for (const line of pre.querySelectorAll('div, p'))
    if (line.nextElementSibling && !line.textContent.endsWith('\n')) line.append('\n')
  return pre.textContent.replace(/\n$/, '')
}

/** So many elements around the code may name its language: GitHub, Sphinx and others wrap it. */
const MAX_WRAPPERS = 2

function languageOf(pre: Element): string | null {
  const own = [pre.querySelector('code'), pre].map((element) => element && nameIn(element))
  const named = own.find((name) => name)
  if (named)
    return /^(?:plain|plaintext|text|none)$/i.test(named)
      ? null
      : (codeLanguageNamed(named)?.id ?? named.toLowerCase())
  let wrapper = pre.parentElement
  for (let level = 0; wrapper && level < MAX_WRAPPERS; level++) {
    const language = codeLanguageNamed(nameIn(wrapper))
    if (language) return language.id
    wrapper = wrapper.parentElement
  }
  return null
}

/** `language-js`, `lang-js`, `highlight-source-js` or `highlight-js`, Pandoc's `sourceCode js`, or an attribute. */
function nameIn(element: Element): string | null {
  const [, name] =
    /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|sourceCode )([\w+#-]+)/.exec(
      element.getAttribute('class') ?? '',
    ) ?? []
  return (
    name ??
    ['data-language', 'data-lang', 'lang'].map((key) => element.getAttribute(key)).find((value) => value) ??
    null
  )
}
