/** The provider of the y-websocket package, unchanged, as any other Yjs program would use it. */
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

/** The tests' certificate is nobody's. */
class TrustingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols, { rejectUnauthorized: false })
  }
}

interface Shared {
  readonly id: string
  readonly tokens: { readonly editor: string }
}

export function stockProvider(origin: string, { id, tokens }: Shared): WebsocketProvider {
  return new WebsocketProvider(`${origin.replace('http', 'ws')}/yjs`, id, new Y.Doc(), {
    params: { token: tokens.editor },
    WebSocketPolyfill: TrustingWebSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
}

export interface StockClient extends Disposable {
  text(): string
  append(text: string): void
  /** Windows present, this one included. */
  people(): number
  readonly provider: WebsocketProvider
}

export async function joinWithStockClient(
  origin: string,
  document: Shared,
  name: string,
): Promise<StockClient> {
  const provider = stockProvider(origin, document)
  const { doc } = provider
  provider.awareness.setLocalStateField('user', { name, color: '#777777' })
  await new Promise<void>((resolve) => provider.once('sync', () => resolve()))
  const body = doc.getXmlFragment('default')
  return {
    text: () =>
      texts(body)
        .map((text) => text.toString())
        .join('\n'),
    append: (text) => lastText(body).push(text),
    people: () => provider.awareness.getStates().size,
    provider,
    [Symbol.dispose]: () => provider.destroy(),
  }
}

const texts = (parent: Y.XmlFragment): Y.XmlText[] =>
  parent
    .toArray()
    .flatMap((child) =>
      child instanceof Y.XmlText ? [child] : child instanceof Y.XmlHook ? [] : texts(child),
    )

function lastText(body: Y.XmlFragment): { push(text: string): void } {
  const last = texts(body).at(-1)
  if (!last) throw new Error('The document has no paragraph yet.')
  return { push: (text) => last.insert(last.length, text) }
}
