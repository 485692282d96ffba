/**
 * Makes sure that an edit of a document's comments writes, changes and removes only messages of its own writer. It checks an edit
 * before the edit touches the document. Knows how comments are stored (lib/protocol/comments.ts) and Yjs's structs; does not know
 * rooms.
 *
 *   an edit may not                              because
 *   add a message or "resolved" by another       nobody writes in another's name
 *   touch a message of somebody else             their words stay as they are, and so do the threads that hold them
 *   use an id that another message has           of two messages with one id the reader shows the first
 *   go over MAX_THREAD_MESSAGES                  the reader shows the first ones, and also counts entries that are no messages
 *   go over MAX_THREADS                          the same
 */
import * as Y from 'yjs'
import { MAX_THREAD_MESSAGES, MAX_THREADS, THREADS } from '../../lib/protocol/comments.ts'
import { fieldsOf } from '../../lib/protocol/value-reader.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { clockOf, structsOf } from '../../lib/yjs-internals/struct-store.ts'
import { firstItemOf, itemOf, lengthOf, valuesByKeyOf } from '../../lib/yjs-internals/shared-type.ts'
import type { Principal } from '../access/principal.ts'
import type { CheckedUpdate } from './check-update.ts'
import { IntegrationCost } from './integration-cost.ts'
import type { Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'

type KeyedType = Parameters<typeof valuesByKeyOf>[0]
type CommentWriter = Pick<Principal, 'id' | 'name' | 'formerNames' | 'token'>

/** What holds an item, and under which key. */
interface ItemLocation {
  readonly within: 'threads' | 'thread' | 'messages' | 'message' | 'elsewhere'
  readonly key: string | null
  /** The item whose content is the map or list around this one; null for a root. */
  readonly container: Y.Item | null
}

const OTHER_LOCATION: ItemLocation = { within: 'elsewhere', key: null, container: null }
/** Looking at a message, and at one of its fields. */
const STEPS_PER_MESSAGE = 4
/** A message's field is in a message, in a list, in a thread, in the root. */
const MAX_LOCATION_DEPTH = 4

/**
 * @param doc Holds everything that was accepted before, and that the edit was checked against.
 * @throws {RoomRefusal} `forbidden`, `too-costly`; then nothing of the edit may be integrated.
 */
export function checkAuthors(
  doc: Y.Doc,
  checked: CheckedUpdate,
  writer: CommentWriter,
  cost = new IntegrationCost(checked.update.length),
): void {
  new AuthorCheck(doc, checked, writer, cost).run()
}

class AuthorCheck {
  readonly #doc: Y.Doc
  readonly #checked: CheckedUpdate
  readonly #writer: CommentWriter
  readonly #cost: IntegrationCost
  readonly #editStructs: EditStructs
  /** Where the edit's items are, as far as they were visited. */
  readonly #locations = new Map<Struct, ItemLocation>()
  /** How many entries the edit adds to a list of messages. */
  readonly #addedMessages = new Map<Y.Item, number>()
  /** The ids of all threads, those of the edit included; null until it adds one. */
  #threadIds: Set<string> | null = null

  constructor(doc: Y.Doc, checked: CheckedUpdate, writer: CommentWriter, cost: IntegrationCost) {
    this.#doc = doc
    this.#checked = checked
    this.#writer = writer
    this.#cost = cost
    this.#editStructs = new EditStructs(checked.structs)
  }

  run(): void {
    for (const struct of this.#checked.structs) {
      if (!(struct instanceof Y.Item)) continue
      const location = this.#locationOfNew(struct)
      this.#locations.set(struct, location)
      this.#checkNew(struct, location)
    }
    for (const item of this.#deletedItems()) this.#checkRemoval(item)
  }

  #checkNew(item: Y.Item, { within, key, container }: ItemLocation): void {
    if (within === 'threads' && key !== null) this.#checkThread(key)
    if (!container) return
    if (within === 'messages' && item.countable) this.#countMessages(container, item.length)
    if (within === 'message') this.#checkField(item, key, container)
    if (within === 'thread' && key === 'messages') this.#checkReplaced(typeIn(container), key)
    if (within === 'thread' && key === 'firstDeleted') this.#checkFirstMine(container)
    if (within === 'thread' && key === 'resolved')
      for (const value of item.content.getContent()) this.#checkAuthor(fieldsOf(value).by)
  }

  /** A new item under a key of a map deletes the item that was there. */
  #checkReplaced(map: KeyedType | null | undefined, key: string): void {
    const before = map && valuesByKeyOf(map).get(key)
    if (before && !before.deleted) this.#checkRemoval(before)
  }

  #checkField({ content }: Y.Item, key: string | null, message: Y.Item): void {
    this.#checkMine(message)
    if (key === 'author') for (const value of content.getContent()) this.#checkAuthor(value)
    if (key === 'id') for (const value of content.getContent()) this.#checkId(value, message)
  }

  #checkAuthor(value: unknown): void {
    const { id, name } = fieldsOf(value)
    const writer = this.#writer
    if (id === undefined) return // no reader shows it as anybody's
    if (id !== writer.id) throw refusal(serverRefusalsStrings.comment.anotherAuthor)
    // A writer that has only a share link's token chooses its name freely, and readers mark it as such.
    if (writer.token === undefined && name !== writer.name && !isFormerNameOf(writer, name))
      throw refusal(serverRefusalsStrings.comment.anotherName(writer.name))
  }

  #checkId(value: unknown, message: Y.Item): void {
    const list = this.#locations.get(message)?.container ?? storedLocationOf(this.#doc, message).container
    for (const other of this.#messagesIn(list))
      if (other !== message && this.#fieldOf(other, 'id') === value)
        throw refusal(serverRefusalsStrings.comment.sameId)
  }

  #checkThread(key: string): void {
    const root = this.#doc.share.get(THREADS)
    this.#checkReplaced(root, key)
    this.#threadIds ??= new Set(this.#undeletedKeys(root))
    if (this.#threadIds.add(key).size > MAX_THREADS)
      throw refusal(serverRefusalsStrings.comment.manyThreads(MAX_THREADS))
  }

  #countMessages(list: Y.Item, count: number): void {
    const added = (this.#addedMessages.get(list) ?? 0) + count
    this.#addedMessages.set(list, added)
    const type = typeIn(list)
    if ((type ? lengthOf(type) : 0) + added > MAX_THREAD_MESSAGES)
      throw refusal(serverRefusalsStrings.comment.manyMessages(MAX_THREAD_MESSAGES))
  }

  #checkRemoval(item: Y.Item): void {
    const { within, key, container } = storedLocationOf(this.#doc, item)
    if (within === 'threads') this.#checkAllMine(valueIn(item, 'messages'))
    if (within === 'thread' && key === 'messages') this.#checkAllMine(item)
    if (within === 'messages') this.#checkMine(item)
    if (within === 'message' && container) this.#checkMine(container)
  }

  /** Only the author of a thread's first message may mark that message as deleted. */
  #checkFirstMine(thread: Y.Item): void {
    for (const first of this.#messagesIn(valueIn(thread, 'messages') ?? null)) return this.#checkMine(first)
  }

  #checkAllMine(list: Y.Item | undefined): void {
    for (const message of this.#messagesIn(list ?? null)) this.#checkMine(message)
  }

  /** A message without an author passes, since no reader shows it. */
  #checkMine(message: Y.Item): void {
    const { id } = fieldsOf(this.#fieldOf(message, 'author'))
    if (id !== undefined && id !== this.#writer.id) throw refusal(serverRefusalsStrings.comment.notYours)
  }

  /** Counts deleted items too: a list may have any number of them, and an edit may cause any number of walks. */
  *#messagesIn(list: Y.Item | null): Generator<Y.Item> {
    const type = list && !list.deleted ? typeIn(list) : null
    for (let item = type && firstItemOf(type); item; item = item.right) {
      this.#cost.countSteps(STEPS_PER_MESSAGE)
      if (!item.deleted) yield item
    }
  }

  #fieldOf(message: Y.Item, key: string): unknown {
    const field = valueIn(message, key)
    if (!field || field.deleted) return undefined
    this.#cost.countSteps(field.length) // Yjs makes an array of all letters of a text
    return field.content.getContent().at(-1)
  }

  /** Counts deleted keys, too. */
  *#undeletedKeys(map: KeyedType | undefined): Generator<string> {
    for (const [key, item] of map ? valuesByKeyOf(map) : []) {
      this.#cost.countSteps()
      if (!item.deleted) yield key
    }
  }

  /** Yields the document's items that the edit removes. */
  *#deletedItems(): Generator<Y.Item> {
    for (const [client, ranges] of this.#checked.ds.clients) {
      const structs = structsOf(this.#doc, client) ?? []
      const end = clockOf(this.#doc, client)
      for (const { clock, len } of ranges) {
        if (clock >= end) break // structs of the edit itself
        for (let at = Y.findIndexSS(structs, clock); at < structs.length; at++) {
          const struct = structs[at]!
          if (struct.id.clock >= clock + len) break
          this.#cost.countSteps()
          if (struct instanceof Y.Item && !struct.deleted) yield struct
        }
      }
    }
  }

  /** Finds the place as Yjs does: an item that names no parent is where its neighbour is. */
  #locationOfNew({ parent, parentSub, origin, rightOrigin }: Y.Item): ItemLocation {
    if (typeof parent === 'string')
      return { within: parent === THREADS ? 'threads' : 'elsewhere', key: parentSub, container: null }
    if (parent instanceof Y.ID) {
      const container = this.#find(parent)
      return container
        ? { within: locationWithin(this.#locationOf(container)), key: parentSub, container }
        : OTHER_LOCATION
    }
    const neighbours = [origin, rightOrigin].filter((id) => id !== null).map((id) => this.#find(id))
    const [neighbour] = neighbours
    return neighbour && !neighbours.includes(null) ? this.#locationOf(neighbour) : OTHER_LOCATION
  }

  #locationOf(item: Y.Item): ItemLocation {
    return this.#locations.get(item) ?? storedLocationOf(this.#doc, item)
  }

  /** Null for a collected struct: a new item there is collected too. */
  #find(id: Y.ID): Y.Item | null {
    const stored = structsOf(this.#doc, id.client)
    const found = this.#editStructs.find(id) ?? (stored && stored[Y.findIndexSS(stored, id.clock)])
    return found instanceof Y.Item ? found : null
  }
}

/** The structs of an edit, by their ids. */
class EditStructs {
  readonly #runs = new Map<number, Struct[]>()

  constructor(structs: readonly Struct[]) {
    for (const struct of structs) {
      const run = this.#runs.get(struct.id.client)
      if (run) run.push(struct)
      else this.#runs.set(struct.id.client, [struct])
    }
  }

  find({ client, clock }: Y.ID): Struct | undefined {
    const run = this.#runs.get(client)
    if (!run || clock < run[0]!.id.clock) return undefined
    return run[Y.findIndexSS(run, clock)]
  }
}

function storedLocationOf(
  doc: Y.Doc,
  { parent, parentSub: key }: Y.Item,
  depthLeft = MAX_LOCATION_DEPTH,
): ItemLocation {
  if (!(parent instanceof Y.AbstractType) || depthLeft === 0) return OTHER_LOCATION
  const container = itemOf(parent)
  if (!container)
    return { within: parent === doc.share.get(THREADS) ? 'threads' : 'elsewhere', key, container }
  return { within: locationWithin(storedLocationOf(doc, container, depthLeft - 1)), key, container }
}

function locationWithin({ within, key }: ItemLocation): ItemLocation['within'] {
  if (within === 'threads') return 'thread'
  if (within === 'thread' && key === 'messages') return 'messages'
  return within === 'messages' ? 'message' : 'elsewhere'
}

/** For items of the document only: those of an edit have no content in their types yet. */
const typeIn = ({ content }: Y.Item): Y.AbstractType<unknown> | null =>
  content instanceof Y.ContentType ? content.type : null

function valueIn(item: Y.Item, key: string): Y.Item | undefined {
  const type = typeIn(item)
  return type ? valuesByKeyOf(type).get(key) : undefined
}

const isFormerNameOf = ({ formerNames = [] }: CommentWriter, name: unknown): boolean =>
  formerNames.includes(name as string)

const refusal = (detail: string): RoomRefusal =>
  new RoomRefusal({ code: 'forbidden', detail: serverRefusalsStrings.comment.notSaved(detail) })
