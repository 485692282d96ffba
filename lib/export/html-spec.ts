/** Writes what a schema draws (`toDOM`) as HTML. Knows no document of a browser. */
import type { DOMOutputSpec } from 'prosemirror-model'
import { escapeHtml as escapeSigns } from '../text/inline-html.ts'

/** A NUL is no letter of HTML. */
export const escapeHtml = (text: string): string => escapeSigns(text.replaceAll('\0', '\uFFFD'))

/** Those that have no end. */
const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input'])

export type HtmlFields = Readonly<Record<string, unknown>>

export const writeElement = (tag: string, fields: HtmlFields, content: string): string =>
  voidElements.has(tag) ? `<${tag}${fieldsHtml(fields)}>` : `<${tag}${fieldsHtml(fields)}>${content}</${tag}>`

export const fieldsHtml = (fields: HtmlFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join('')

/** @param content What stands in its hole. @param added More attributes of its outer element. */
export function writeSpec(spec: DOMOutputSpec, content: string, added: HtmlFields = {}): string {
  if (typeof spec === 'string') return escapeHtml(spec)
  const [tag, ...rest] = spec as unknown as [string, ...unknown[]]
  const hasFields = isFields(rest[0])
  const fields = hasFields ? (rest[0] as HtmlFields) : {}
  const inner = (hasFields ? rest.slice(1) : rest)
    .map((part) => (part === 0 ? content : writeSpec(part as DOMOutputSpec, content)))
    .join('')
  return writeElement(tag, { ...fields, ...added }, inner)
}

const isFields = (part: unknown): boolean => typeof part === 'object' && part !== null && !Array.isArray(part)
