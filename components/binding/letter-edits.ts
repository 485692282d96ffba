import type { Fragment } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { ReplaceAroundStep, ReplaceStep } from '@tiptap/pm/transform'

/** True for any edit that is more than letters within one block. */
export function isStructuralEdit({ docs, steps }: Transaction): boolean {
  return steps.some((step, index) => {
    if (!(step instanceof ReplaceStep)) return step instanceof ReplaceAroundStep
    const [from, to] = [docs[index]!.resolve(step.from), docs[index]!.resolve(step.to)]
    return !from.sameParent(to) || !from.parent.isTextblock || !isInline(step.slice.content)
  })
}

const isInline = (content: Fragment): boolean => content.firstChild?.isInline ?? true
