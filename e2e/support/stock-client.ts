/** Uses the provider of the y-websocket package, unchanged, as any other Yjs program would. */
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

/** No authority signed the tests' certificate. */
class TrustingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols, { rejectUnauthorized: false })
  }
}

interface EditableDocument {
  readonly id: string
  readonly tokens: { readonly editor: string }
}

export function createStockProvider(origin: string, { id, tokens }: EditableDocument): WebsocketProvider {
  return new WebsocketProvider(`${origin.replace('http', 'ws')}/yjs`, id, new Y.Doc(), {
    params: { token: tokens.editor },
    WebSocketPolyfill: TrustingWebSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
}

export interface StockParticipant extends Disposable {
  readText(): string
  appendText(text: string): void
  /** Returns how many windows are present, this one included. */
  countPeople(): number
  readonly provider: WebsocketProvider
}

export async function joinWithStockClient(
  origin: string,
  document: EditableDocument,
  name: string,
): Promise<StockParticipant> {
  const provider = createStockProvider(origin, document)
  const { doc } = provider
  provider.awareness.setLocalStateField('user', { name, color: '#777777' })
  await new Promise<void>((resolve) => provider.once('sync', () => resolve()))
  const body = doc.getXmlFragment('default')
  return {
    readText: () =>
      textNodesOf(body)
        .map((text) => text.toString())
        .join('\n'),
    appendText: (text) => lastTextNodeOf(body).push(text),
    countPeople: () => provider.awareness.getStates().size,
    provider,
    [Symbol.dispose]: () => provider.destroy(),
  }
}

const textNodesOf = (parent: Y.XmlFragment): Y.XmlText[] =>
  parent
    .toArray()
    .flatMap((child) =>
      child instanceof Y.XmlText ? [child] : child instanceof Y.XmlHook ? [] : textNodesOf(child),
    )

function lastTextNodeOf(body: Y.XmlFragment): { push(text: string): void } {
  const last = textNodesOf(body).at(-1)
  if (!last) throw new Error('The document has no paragraph yet.')
  return { push: (text) => last.insert(last.length, text) }
}
