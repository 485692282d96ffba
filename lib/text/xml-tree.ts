/** Reads a piece of well-formed XML that a program has written, without declarations. Letters stay as they are escaped. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

/** Elements within each other: a stack holds some thousand. */
const MAX_DEPTH = 200

/** Null for what is not well-formed, or too deep. */
export function parseXml(xml: string): XmlElement | null {
  const root: (XmlElement | string)[] = []
  const open: { name: string; children: (XmlElement | string)[] }[] = [{ name: '', children: root }]
  const token = /<(\/?)([a-zA-Z][\w:]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+/gy
  let end = 0
  for (let found = token.exec(xml); found; found = token.exec(xml)) {
    end = token.lastIndex
    const [text, slash, name, attributes = '', isEmpty] = found
    const { children } = open.at(-1)!
    if (name === undefined) children.push(text)
    else if (slash) {
      if (open.length === 1 || open.pop()!.name !== name) return null
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [] }
      children.push(element)
      if (!isEmpty && open.push(element) > MAX_DEPTH) return null
    }
  }
  const [only] = root
  return end === xml.length && open.length === 1 && typeof only === 'object' ? only : null
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(/([\w:-]+)="([^"]*)"/g), ([, name, value]) => [name!, value!]))

export const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child === 'object')

/** The letters in an element, as they are escaped. */
export const lettersIn = ({ children }: XmlElement): string =>
  children.map((child) => (typeof child === 'string' ? child : lettersIn(child))).join('')
