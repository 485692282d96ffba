/** Reads a DOCX of this program that nobody has changed: the document as it was, with the pictures that the DOCX has. */
import { fileCard } from '../blocks/file-card/file-card.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { picture } from '../blocks/picture/picture.ts'
import { type DocxParts, readOwnPart } from '../export/docx/own-part.ts'
import { cleanFileName, fileIdOf, fileNameOf } from '../files/file-reference.ts'
import { isFullAddress } from '../text/link-address.ts'
import type { ImportLosses } from './import-losses.ts'
import type { ImportedDocument, ImportedFile } from './imported-document.ts'
import { lettersOfJson } from './json-letters.ts'
import { readJsonValue } from './read-json.ts'

/** Null for a DOCX of another program. @throws {ImportRefused} */
export function readOwnDocx(parts: DocxParts, name: string, losses: ImportLosses): ImportedDocument | null {
  const own = readOwnPart(parts)
  if (!own) return null
  const read = readJsonValue(own.document, name, losses)
  const files = read.files.flatMap(({ id, name: fileName }): ImportedFile[] => {
    const bytes = parts.get(own.pictures.get(id) ?? '')
    return bytes ? [{ id, name: cleanFileName(fileName), bytes }] : []
  })
  const present = new Set(files.map(({ id }) => id))
  return { ...read, blocks: linkFiles(read.blocks, own.files, present), files }
}

/** What the DOCX links to stays a link: a picture that Word does not show, and any other file. */
const linkFiles = (
  nodes: readonly JsonNode[],
  address: string,
  present: ReadonlySet<string>,
): readonly JsonNode[] =>
  nodes.flatMap((node) => {
    const { type, attrs = {}, content } = node
    const file = type === picture.name || type === fileCard.name ? fileIdOf(attrs) : ''
    if (file !== '' && !present.has(file)) return linkTo(node, address + file)
    return [
      Array.isArray(content)
        ? { ...node, content: linkFiles(content as JsonNode[], address, present) }
        : node,
    ]
  })

/** By its caption, which of a file is its name. */
function linkTo(node: JsonNode, href: string): JsonNode[] {
  const text = lettersOfJson(node) || fileNameOf(node.attrs ?? {}) || href
  const marks = isFullAddress(href) ? [{ type: 'link', attrs: { href } }] : []
  return [{ type: 'paragraph', content: [{ type: 'text', text, marks }] }]
}
