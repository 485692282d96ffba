import type { Editor } from '@tiptap/core'
import * as Y from 'yjs'
import { headingLevelOf } from '@/lib/blocks/blocks.ts'
import { startPositionOf } from '@/lib/following/text-position.ts'
import { positionHashOf } from '@/lib/following/position-link.ts'
import { copyLinkTo } from '@/components/following/copy-position-link.ts'
import { sharedPlaceOf } from '@/components/binding/positions.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { blockRangeOf } from './block-range.ts'

/** Copies the address of the first block that is selected, or of that with the caret. */
export async function copyBlockLink(editor: Editor, document: string): Promise<void> {
  const hash = blockHashOf(editor)
  if (hash !== null) await copyLinkTo(document, hash)
}

function blockHashOf({ state }: Editor): string | null {
  const range = blockRangeOf(state.selection)
  const binding = textBindingOf(state)
  // What was just typed may not be in the shared text yet.
  binding?.flush()
  const reading = binding?.reading
  if (!range || !reading) return null
  const { type, index } = sharedPlaceOf(reading, range.from)
  const child: unknown = type instanceof Y.XmlFragment && index < type.length ? type.get(index) : type
  const block = state.doc.nodeAt(range.from)
  const isHeading = block && headingLevelOf(block.type.name, block.attrs) !== null
  return positionHashOf(startPositionOf(child as Y.XmlFragment), isHeading ? block.textContent : null)
}
