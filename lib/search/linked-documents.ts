/** The documents that a text leads to: by links, link cards and mentions. Who may read them is asked elsewhere. */
import type * as Y from 'yjs'
import { linkCard } from '../blocks/link-card/link-card.ts'
import { link } from '../blocks/link/link.ts'
import { mention, mentionOf } from '../blocks/mention/mention.ts'
import { isDocumentId } from '../protocol/ids.ts'
import { isTextNode, type TreeNode, treeOf } from '../text/tree.ts'

/** Of one text; a text may name any number. */
const MAX_LINKED = 500

/** In the order of the text. */
export function linkedDocumentsIn(body: Y.Doc): string[] {
  const found = new Set<string>()
  for (const id of idsIn(treeOf(body.getXmlFragment('default')))) {
    if (found.size === MAX_LINKED) break
    found.add(id)
  }
  return [...found]
}

function* idsIn(nodes: readonly TreeNode[]): Generator<string, void, undefined> {
  for (const node of nodes) {
    const ids = isTextNode(node)
      ? node.runs.map(({ marks }) => idOfAddress((marks[link.name] as { href?: unknown } | null)?.href))
      : [idOfBlock(node.name, node.attributes)]
    for (const id of ids) if (id !== null) yield id
    if (!isTextNode(node)) yield* idsIn(node.children)
  }
}

function idOfBlock(name: string, attributes: Readonly<Record<string, unknown>>): string | null {
  if (name === linkCard.name) return idOfAddress(attributes['href'])
  if (name !== mention.name) return null
  const { kind, id } = mentionOf(attributes)
  return kind === 'document' ? id : null
}

/** Whatever its host: a server may have several names, and nobody guesses an id of another one. */
function idOfAddress(address: unknown): string | null {
  if (typeof address !== 'string' || !address.includes('/d/')) return null
  const [, area, id = ''] = URL.parse(address, 'https://here.invalid')?.pathname.split('/') ?? []
  return area === 'd' && isDocumentId(id) ? id : null
}
