import { createElement, type ReactNode, type RefCallback } from 'react'
import type { DOMOutputSpec } from '@tiptap/pm/model'

interface SpecElementProps {
  readonly spec: DOMOutputSpec
  /** Called with the outermost element. */
  readonly elementRef?: RefCallback<Element>
  /** Take the place of the hole in the specification. */
  readonly children: ReactNode
}

/** Turns what a schema draws into a React element. React writes all text as text, so nothing in it runs. */
export function SpecElement({ spec, elementRef, children }: SpecElementProps): ReactNode {
  if (typeof spec === 'string') return spec
  const [tag, ...rest] = spec as readonly [string, ...unknown[]]
  // The mark has no effect, as with a link to nowhere.
  if (tag === 'span' && rest[0] === 0) return children
  const [attributes, inner] = isAttributes(rest[0]) ? [rest[0], rest.slice(1)] : [{}, rest]
  const drawn = inner.map((part, at) =>
    part === 0 ? (
      children
    ) : (
      <SpecElement key={at} spec={part as DOMOutputSpec}>
        {children}
      </SpecElement>
    ),
  )
  return createElement(tag, { ...propsOf(attributes), ref: elementRef }, ...drawn)
}

type Attributes = Readonly<Record<string, unknown>>

const isAttributes = (part: unknown): part is Attributes =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const propsOf = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name === 'class' ? 'className' : name, value]),
  )
