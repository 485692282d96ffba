import { createElement, type ReactNode, type RefCallback } from 'react'
import type { DOMOutputSpec } from '@tiptap/pm/model'

type Attributes = Readonly<Record<string, unknown>>

/**
 * Makes a React element of what a schema draws. React writes all text as text, so nothing in it runs.
 * @param content Takes the place of the hole in the specification.
 * @param elementRef Called with the outermost element.
 */
export function elementOfSpec(
  spec: DOMOutputSpec,
  content: ReactNode,
  elementRef?: RefCallback<Element>,
): ReactNode {
  if (typeof spec === 'string') return spec
  const [tag, ...rest] = spec as readonly [string, ...unknown[]]
  // The mark has no effect, as with a link to nowhere.
  if (tag === 'span' && rest[0] === 0) return content
  const [attributes, inner] = isAttributes(rest[0]) ? [rest[0], rest.slice(1)] : [{}, rest]
  const children = inner.map((child) =>
    child === 0 ? content : elementOfSpec(child as DOMOutputSpec, content),
  )
  return createElement(tag, { ...propsOf(attributes), ref: elementRef }, ...children)
}

const isAttributes = (part: unknown): part is Attributes =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const propsOf = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name === 'class' ? 'className' : name, value]),
  )
