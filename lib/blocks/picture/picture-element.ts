import { DOMSerializer } from 'prosemirror-model'
import type { StoredAttributes } from '../definitions.ts'
import { drawBlock } from '../draw.ts'
import { picture } from './picture.ts'

/** A picture with an empty caption, as the schema's parser reads it. */
export function pictureElementOf(page: Document, attributes: StoredAttributes): HTMLElement {
  const { dom, contentDOM } = DOMSerializer.renderSpec(page, drawBlock(picture, attributes))
  const caption = page.createElement('div')
  caption.setAttribute('data-caption', '')
  contentDOM!.append(caption)
  return dom
}
