import { fileIdOf } from '../files/file-reference.ts'
import { isTextNode, type TreeNode } from '../text/tree.ts'
import type { ProposedChange } from './proposed-changes.ts'

/** The ids of the files that the original shows once these changes are written. */
export function filesOf(changes: readonly ProposedChange[]): string[] {
  const nodes = changes.flatMap((change) =>
    change.kind === 'words' ? [] : (change.parts ?? [change.after]).filter((block) => block !== null),
  )
  return [...new Set(nodes.flatMap(filesIn))]
}

function filesIn(node: TreeNode): string[] {
  if (isTextNode(node)) return []
  const own = fileIdOf(node.attributes)
  return [...(own === '' ? [] : [own]), ...node.children.flatMap(filesIn)]
}
