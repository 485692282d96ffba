/** Writes a text too long for a window: sections of a heading and paragraphs of several lines. */
import { XmlElement, XmlText } from 'yjs'
import { openDocument, type OpenDocument } from '../../lib/client.ts'

interface EditableDocument {
  readonly id: string
  readonly tokens: { readonly editor: string }
}

/** Opens a document from Node, as another writer. The caller closes it. */
export async function openWriter(origin: string, { id, tokens }: EditableDocument): Promise<OpenDocument> {
  const opened = openDocument({ url: origin, document: id, token: tokens.editor, insecure: true })
  await opened.whenSynced
  return opened
}

const fillerSentence = 'The quick brown fox jumps over the lazy dog while nobody looks, and then it sleeps. '

export async function writeSections(
  origin: string,
  document: EditableDocument,
  count: number,
): Promise<void> {
  const opened = await openWriter(origin, document)
  const body = opened.doc.getXmlFragment('default')
  const blocks = Array.from({ length: count }, (_, n) => [
    createTextBlock('heading', `Section ${n + 1}`),
    ...Array.from({ length: 4 }, (_paragraph, part) =>
      createTextBlock('paragraph', `${n + 1}.${part + 1} ${fillerSentence.repeat(4 + ((n + part) % 3))}`),
    ),
  ])
  opened.doc.transact(() => body.insert(0, blocks.flat()))
  await opened.whenSaved()
  await opened.close()
}

export function createTextBlock(name: string, text: string): XmlElement {
  const block = new XmlElement(name)
  if (name === 'heading') block.setAttribute('level', 2 as unknown as string)
  block.insert(0, [new XmlText(text)])
  return block
}
