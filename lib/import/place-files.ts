/**
 * Makes pictures and cards of the files that Markdown names, before it is read into blocks: an image or a link to a file gets the address
 * that stands for a file of the document. An image among letters becomes a block of its own, after the letters before it.
 */
import type { Definition, Image, Link, Nodes, Paragraph, PhrasingContent } from 'mdast'
import { fileIdOf, fileNameOf, readFileAddress, writeFileAddress } from '../files/file-reference.ts'
import { isTableRule } from '../text/detect-markdown.ts'
import { isFullAddress } from '../text/link-address.ts'
import type { ImportLosses } from './import-losses.ts'
import type { ImportPictures, TakenFile } from './import-pictures.ts'

/** A node of the parser's tree whose children may change. */
export interface Parent {
  children: Nodes[]
}

export type FindFile = (address: string) => TakenFile | null

export function placeFiles(root: Parent, pictures: ImportPictures, findFile: FindFile): void {
  root.children = root.children.flatMap((node) => placeIn(node, pictures, findFile))
}

/** Gives images and links that name a definition its address. */
export function resolveReferences(root: Parent): void {
  const definitions = new Map<string, Definition>()
  const collect = (parent: Parent) => {
    for (const node of parent.children)
      if (node.type === 'definition') {
        // Of two with one name the first counts.
        if (!definitions.has(node.identifier)) definitions.set(node.identifier, node)
      } else if ('children' in node) collect(node as Parent)
  }
  const resolve = (parent: Parent) => {
    parent.children = parent.children.map((node): Nodes => {
      if ('children' in node) resolve(node as Parent)
      if (node.type !== 'imageReference' && node.type !== 'linkReference') return node
      const definition = definitions.get(node.identifier)
      if (!definition) return node
      const { url, title = null } = definition
      return node.type === 'imageReference'
        ? { ...node, type: 'image', url, title }
        : { ...node, type: 'link', url, title }
    })
  }
  collect(root)
  resolve(root)
}

/** Counts the images that no file stands for. A link to what stays behind becomes its letters. */
export function settleAddresses(parent: Parent, losses: ImportLosses): void {
  parent.children = parent.children.flatMap((node): Nodes[] => {
    if ('children' in node) settleAddresses(node as Parent, losses)
    if ((node.type !== 'image' && node.type !== 'link') || readFileAddress(node.url)) return [node]
    const isRemote = isFullAddress(node.url)
    if (node.type === 'image') losses.count(isRemote ? 'remoteImage' : 'image')
    if (node.type === 'image' || isRemote || node.url.startsWith('mention:')) return [node]
    if (!node.url.startsWith('#')) losses.count('link')
    return node.children
  })
}

function placeIn(node: Nodes, pictures: ImportPictures, findFile: FindFile): Nodes[] {
  // The parser reads a table as a paragraph.
  if (node.type === 'paragraph') return isTable(node) ? [node] : splitParagraph(node, pictures, findFile)
  if ('children' in node && node.type !== 'heading') placeFiles(node as Parent, pictures, findFile)
  return [node]
}

const isTable = ({ children }: Paragraph): boolean =>
  children.some((node) => node.type === 'text' && node.value.split('\n').some(isTableRule))

function splitParagraph(paragraph: Paragraph, pictures: ImportPictures, findFile: FindFile): Nodes[] {
  const blocks: Paragraph[] = []
  let letters: PhrasingContent[] = []
  const endLetters = () => {
    const isEmpty = letters.every((node) => node.type === 'text' && node.value.trim() === '')
    if (!isEmpty) blocks.push({ ...paragraph, children: letters })
    letters = []
  }
  for (const child of paragraph.children) {
    const placed = placedOf(child, paragraph.children.length === 1, pictures, findFile)
    if (placed) {
      endLetters()
      blocks.push({
        type: 'paragraph',
        children: [placed],
        ...(paragraph.position && { position: paragraph.position }),
      })
    } else letters.push(child)
  }
  if (blocks.length === 0) return [paragraph]
  endLetters()
  return blocks
}

/** Null for anything else than an image of the import, or a link alone to a file of it. */
function placedOf(
  node: PhrasingContent,
  isAlone: boolean,
  pictures: ImportPictures,
  findFile: FindFile,
): Image | Link | null {
  if (node.type !== 'image' && !(node.type === 'link' && isAlone)) return null
  const taken = findFile(node.url)
  const alt = node.type === 'image' ? (node.alt ?? null) : null
  const block = taken && pictures.takeBlock(taken, alt, '')
  if (!block) return null
  const { attrs = {} } = block
  const [file, name] = [fileIdOf(attrs), fileNameOf(attrs)]
  if (block.type === 'picture') {
    const details = [String(attrs['type']), `${Number(attrs['width'])}x${Number(attrs['height'])}`]
    const url = writeFileAddress({ file, name, details })
    return { type: 'image', url, alt, title: 'title' in node ? (node.title ?? null) : null }
  }
  const url = writeFileAddress({ file, name, details: [String(attrs['bytes'])] })
  return {
    type: 'link',
    url,
    children: node.type === 'link' ? node.children : [{ type: 'text', value: name }],
  }
}
