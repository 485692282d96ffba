/** Callouts of Notion and of pages of documentation become this editor's. Those of GitHub are known to the schema. */
import type { CalloutKind } from './callout-kinds.ts'

/** `NodeFilter.SHOW_TEXT`, which a DOM without a window has no name for. */
const SHOW_TEXT = 4

export function convertCallouts(body: HTMLElement): void {
  for (const element of body.querySelectorAll<HTMLElement>(
    'aside, figure.callout, .admonition, .theme-admonition, .custom-block',
  )) {
    const kind =
      element.localName === 'aside' || element.localName === 'figure' ? takeSign(element) : takeTitle(element)
    if (kind === null) continue
    const callout = element.ownerDocument.createElement('blockquote')
    callout.dataset.callout = kind
    callout.append(...element.childNodes)
    element.replaceWith(callout)
  }
}

/** Notion's callouts begin with a sign. An `aside` of a page that does not is what stands beside its text. */
function takeSign(element: HTMLElement): CalloutKind | null {
  const letters = element.ownerDocument.createTreeWalker(element, SHOW_TEXT)
  let text = letters.nextNode()
  while (text && text.nodeValue!.trim() === '') text = letters.nextNode()
  const [found, sign] =
    /^\s*(\p{Extended_Pictographic})[\p{Emoji_Modifier}\uFE0F\u200D]*\s*/u.exec(text?.nodeValue ?? '') ?? []
  if (!text || found === undefined) return null
  text.nodeValue = text.nodeValue!.slice(found.length)
  return kindOfSign(sign!)
}

function kindOfSign(sign: string): CalloutKind {
  if ('💡✅👍'.includes(sign)) return 'tip'
  if ('⚠🚨⛔🛑🔥❌'.includes(sign)) return 'warning'
  return '❗‼📌🔔'.includes(sign) ? 'important' : 'note'
}

const kindByClass: readonly (readonly [RegExp, CalloutKind])[] = [
  [/\b(?:tip|hint|success)\b/, 'tip'],
  [/\b(?:warning|caution|danger|attention|error)\b/, 'warning'],
  [/\bimportant\b/, 'important'],
]

/** Pages of documentation name the kind in a class, and repeat it above the text. */
function takeTitle(element: HTMLElement): CalloutKind {
  const title = element.querySelector('.admonition-title, [class*=admonitionHeading], .custom-block-title')
  const words = element.className.toLowerCase().replaceAll(/[-_]+/g, ' ')
  if (title && words.split(' ').includes(title.textContent.trim().toLowerCase())) title.remove()
  return kindByClass.find(([named]) => named.test(words))?.[1] ?? 'note'
}
