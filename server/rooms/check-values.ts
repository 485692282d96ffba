/**
 * Reads the values in an edit (embeds, formats, attributes, map entries) and refuses those that are too deep, too many or too large
 * before they are built. It does not recurse, but the code that writes accepted values again does: Yjs, and JSON in every window.
 * Knows the V1 encoding and the limits; does not know the document.
 */
import {
  type Decoder,
  readFloat32,
  readFloat64,
  readUint8,
  readVarInt,
  readVarString,
  readVarUint,
  readVarUint8Array,
} from 'lib0/decoding'
import * as Y from 'yjs'
import {
  MAX_BINARY_BYTES,
  MAX_EDIT_OBJECTS,
  MAX_NAME_LENGTH,
  MAX_TYPE_DEPTH,
  MAX_VALUE_DEPTH,
  MAX_VALUE_NODES,
} from '../../lib/protocol/limits.ts'
import { itemOf } from '../../lib/yjs-internals/shared-type.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'
import { ANY_KIND, KIND, KIND_BITS } from './update-encoding.ts'

type Container = unknown[] | Record<string, unknown>

/** A container that is being read. */
interface OpenContainer {
  readonly container: Container
  /** How many of its values are still to come. */
  left: number
}

/** Yjs's own decoder of V1, with limits. It throws a RoomRefusal at a limit, and any other error for bytes that are no update. */
export class ValueDecoder extends Y.UpdateDecoderV1 {
  #isJson = false
  #kind = 0
  #objects = 0

  override readInfo(): number {
    const info = super.readInfo()
    this.#kind = info & KIND_BITS
    this.#isJson = false
    // Each subdocument would be a whole Y.Doc in memory, and no window opens it.
    if (this.#kind === KIND.document) throw refusal(serverRefusalsStrings.edit.documentWithin)
    return info
  }

  override readLen(): number {
    // In content of this kind, strings behind the length are JSON; those before it are names.
    this.#isJson = this.#kind === KIND.json
    return super.readLen()
  }

  override readString(): string {
    const text = super.readString()
    if (this.#isJson && text !== 'undefined') this.#checkJson(text)
    return text
  }

  override readJSON(): unknown {
    return this.#checkJson(readVarString(this.restDecoder))
  }

  override readKey(): string {
    return checkName(super.readKey())
  }

  override readBuf(): Uint8Array {
    return checkBytes(super.readBuf())
  }

  override readAny(): unknown {
    const { restDecoder: decoder } = this
    const first = this.#readAnyHead(decoder)
    if (!isContainerHead(first)) return first
    const open = [first]
    let nodes = 1
    for (let last = open.at(-1); last; last = open.at(-1)) {
      if (!(last.left > 0)) {
        open.pop()
        continue
      }
      last.left -= 1
      if ((nodes += 1) > MAX_VALUE_NODES) throw tooManyNodes()
      const key = Array.isArray(last.container) ? null : checkName(readVarString(decoder))
      const head = this.#readAnyHead(decoder)
      addValue(last.container, key, isContainerHead(head) ? head.container : head)
      if (isContainerHead(head)) open.push(head)
      if (open.length > MAX_VALUE_DEPTH) throw tooDeep()
    }
    return first.container
  }

  #readAnyHead(decoder: Decoder): unknown {
    const kind = readUint8(decoder)
    switch (kind) {
      case ANY_KIND.undefined:
        return undefined
      case ANY_KIND.null:
        return null
      case ANY_KIND.integer:
        return readVarInt(decoder)
      case ANY_KIND.float32:
        return readFloat32(decoder)
      case ANY_KIND.float64:
        return readFloat64(decoder)
      case ANY_KIND.false:
        return false
      case ANY_KIND.true:
        return true
      case ANY_KIND.string:
        return readVarString(decoder)
      case ANY_KIND.bytes:
        return checkBytes(readVarUint8Array(decoder))
      case ANY_KIND.object:
      case ANY_KIND.array:
        this.#countObjects(1)
        return new ContainerHead(kind === ANY_KIND.array ? [] : {}, readVarUint(decoder))
      case ANY_KIND.bigint:
        throw refusal(serverRefusalsStrings.edit.bigInt)
      default:
        throw new Error(`a value of kind ${kind}`)
    }
  }

  #checkJson(text: string): unknown {
    this.#countObjects(countJsonContainers(text))
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) checkNamesIn(value)
    return value
  }

  #countObjects(count: number): void {
    this.#objects += count
    if (this.#objects > MAX_EDIT_OBJECTS)
      throw refusal(serverRefusalsStrings.edit.manyObjects(MAX_EDIT_OBJECTS))
  }
}

/** A class, so that no value from an edit can be taken for one. */
class ContainerHead implements OpenContainer {
  readonly container: Container
  left: number

  constructor(container: Container, left: number) {
    this.container = container
    this.left = left
  }
}

const isContainerHead = (head: unknown): head is ContainerHead => head instanceof ContainerHead

function addValue(container: Container, key: string | null, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  else container[key!] = value
}

/** Counts the arrays and objects in a JSON text without building any. Text that is no JSON is left to the parser. */
function countJsonContainers(text: string): number {
  let objects = 0
  let depth = 0
  let nodes = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at)
        break
      case '[':
      case '{':
        objects += 1
        depth += 1
        nodes += 1
        break
      case ']':
      case '}':
        depth -= 1
        break
      case ',':
        nodes += 1
    }
    if (depth > MAX_VALUE_DEPTH) throw tooDeep()
    if (nodes > MAX_VALUE_NODES) throw tooManyNodes()
  }
  return objects
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function checkBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BINARY_BYTES)
    throw refusal(serverRefusalsStrings.edit.longBinary(bytes.length, MAX_BINARY_BYTES))
  return bytes
}

/** The value was checked before: it is neither deep nor large. */
function checkNamesIn(value: object): void {
  const unvisited: object[] = [value]
  for (let container = unvisited.pop(); container; container = unvisited.pop()) {
    if (!Array.isArray(container)) Object.keys(container).forEach(checkName)
    for (const inner of Object.values(container) as unknown[])
      if (typeof inner === 'object' && inner !== null) unvisited.push(inner)
  }
}

/** Checks the names that Yjs reads like text: of a root, and of an entry in a map. */
export function checkNames({ parent, parentSub }: Y.Item): void {
  if (typeof parent === 'string') checkName(parent)
  if (parentSub !== null) checkName(parentSub)
}

function checkName(name: string): string {
  if (name.length > MAX_NAME_LENGTH)
    throw refusal(serverRefusalsStrings.edit.longName(name.length, MAX_NAME_LENGTH))
  // As a key, `__proto__` would change the object's prototype in every window that reads it.
  if (name === '__proto__') throw refusal(serverRefusalsStrings.edit.protoName)
  return name
}

/**
 * Yjs deletes nested types by recursion, and reports each change to all the types around it: thousands of levels overflow the stack,
 * and use memory with the square of their number. @param item An item whose parent is resolved. @returns How many types were visited.
 * @throws {RoomRefusal}
 */
export function checkTypeDepth({ parent, content }: Y.Item): number {
  if (!(content instanceof Y.ContentType)) return 0
  const depth = depthOf(parent)
  if (depth >= MAX_TYPE_DEPTH) throw refusal(serverRefusalsStrings.edit.deepNodes(MAX_TYPE_DEPTH))
  return depth
}

/** How many items are around this place, at most MAX_TYPE_DEPTH. */
export function depthOf(parent: Y.Item['parent'] | undefined): number {
  let depth = 0
  for (let around = itemAround(parent); around !== null && depth < MAX_TYPE_DEPTH; depth++)
    around = itemAround(around.parent)
  return depth
}

/** A parent that a damaged update names is none, or no type. */
const itemAround = (parent: Y.Item['parent'] | undefined): Y.Item | null =>
  parent ? (itemOf(parent as Y.AbstractType<unknown>) ?? null) : null

const tooDeep = (): RoomRefusal => refusal(serverRefusalsStrings.edit.deepValue(MAX_VALUE_DEPTH))

const tooManyNodes = (): RoomRefusal => refusal(serverRefusalsStrings.edit.manyValues(MAX_VALUE_NODES))

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
