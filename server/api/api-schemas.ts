/** The shapes of the HTTP API, as it checks them and as OpenAPI publishes them. */
import { z } from '@hono/zod-openapi'
import { MAX_DISPLAY_NAME, nameProblem, tidyName } from '../../lib/protocol/display-name.ts'
import { colourNames } from '../../lib/protocol/palette.ts'
import { builtInTemplateNames } from '../../lib/protocol/built-in-templates.ts'
import { MAX_FOLDER_NAME } from '../../lib/protocol/folder-tree.ts'
import { isDocumentId, isRandomId } from '../../lib/protocol/ids.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { listFilters, listSorts, placedFilters, readCursor } from './document-list.ts'
import { MAX_TITLE_LENGTH } from './document-rows.ts'
import {
  MAX_DECISIONS,
  type ProposalCursor,
  proposalDecisions,
  proposalStates,
} from '../proposals/proposal-rows.ts'
import { searchFilters, searchSorts } from '../search/search-index.ts'
import type { TrashCursor } from './trash.ts'
import type { PeopleCursor } from '../access/people-with-access.ts'

const roleNames = ['viewer', 'editor', 'owner'] as const
const shareLinkRoleNames = ['viewer', 'editor'] as const
const proposersNames = ['editors', 'viewers'] as const

const title = z
  .string()
  .max(MAX_TITLE_LENGTH)
  .transform((text) => text.toWellFormed())
  .openapi({ type: 'string', maxLength: MAX_TITLE_LENGTH, example: 'Budget plan' })

/** The limit in characters. */
const MAX_VERSION_NAME_LENGTH = 100

export const errorBodySchema = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .openapi('Error')

export const personSchema = z.object({ id: z.string(), name: z.string() }).openapi('Me')

const displayNameSchema = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const name = tidyName(text)
    const problem = nameProblem(name)
    if (problem === null) return name
    context.addIssue(problem.replace(/\.$/, ''))
    return z.NEVER
  })
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_DISPLAY_NAME, example: 'Ada Wren' })

export const storageSchema = z
  .object({
    usedBytes: z.number(),
    limitBytes: z.number().nullable().openapi({ description: 'Null for no limit.' }),
    serverHasRoom: z.boolean().openapi({ description: 'Whether the server itself has room.' }),
    isNearlyFull: z.boolean(),
  })
  .openapi('Storage')

const colour = z.enum(colourNames)

export const profileSchema = personSchema
  .extend({
    colour: colour.nullable().openapi({ description: 'Null until one was chosen.' }),
    asked: z.boolean().openapi({ description: 'Whether this person was asked for their name.' }),
    isNearlyFull: z.boolean().optional().openapi({
      description: 'Whether they are told how much space their documents take (`/api/storage`).',
    }),
  })
  .openapi('Profile')

/** A change without any known field only records that the person was asked. */
export const profileChangeSchema = z.strictObject({
  name: displayNameSchema.optional(),
  colour: colour.optional(),
})

export const personListSchema = z.object({
  people: z.array(personSchema.extend({ colour: colour.nullable() })),
})

export const documentSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    role: z.enum(roleNames),
    owner: personSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Document')

const folderIdSchema = z.string().refine(isRandomId, { error: apiStrings.input.unknownFolder })

const placementFields = {
  folder: folderIdSchema.nullable().openapi({ description: 'My folder that has it; null for none.' }),
  favourite: z.boolean(),
  template: z.boolean().openapi({ description: 'Whether its text is offered to me for new documents.' }),
}

export const placementSchema = z.object(placementFields).openapi('Placement')

export const placementChangeSchema = z.strictObject({
  folder: folderIdSchema.nullable().optional(),
  favourite: z.boolean().optional(),
  template: z.boolean().optional(),
  opened: z.literal(true).optional().openapi({ description: 'Notes that I opened it now.' }),
})

const placedDocumentSchema = documentSchema.extend(placementFields).openapi('PlacedDocument')

const folderNameSchema = z
  .string()
  .max(1_000)
  .transform((text) =>
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  .refine((name) => name !== '' && name.length <= MAX_FOLDER_NAME, {
    error: apiStrings.input.folderName(MAX_FOLDER_NAME),
  })
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_FOLDER_NAME, example: 'Projects' })

const parent = folderIdSchema.nullable().openapi({ description: 'Null for one that is in no other.' })

export const folderSchema = z.object({ id: z.string(), parent, name: z.string() }).openapi('Folder')

export const folderListSchema = z.object({ folders: z.array(folderSchema) })

export const newFolderSchema = z.strictObject({ name: folderNameSchema, parent: parent.optional() })

export const folderChangeSchema = z.strictObject({
  name: folderNameSchema.optional(),
  parent: parent.optional(),
})

/** What the API says of one document beside what its lists say. */
export const wholeDocumentSchema = placedDocumentSchema
  .extend({
    proposals: z
      .enum(proposersNames)
      .openapi({ description: 'Who may propose changes: who may edit it, or all who may read it.' }),
    mayPropose: z.boolean(),
    openProposals: z.int().openapi({ description: 'How many wait for a decision.' }),
    proposal: z
      .object({
        original: z.string(),
        originalTitle: z.string(),
        title: z.string().openapi({ description: 'The proposal’s own.' }),
        state: z.enum(proposalStates),
        base: z.string().openapi({ description: 'The version of this document that it began with.' }),
        mayDecide: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'Null unless this is a proposal to change another document.' }),
  })
  .openapi('WholeDocument')

const MAX_PAGE_SIZE = 200
const DEFAULT_PAGE_SIZE = 100

/** The limit in characters, of which a title's key, encoded, needs the most. */
const MAX_CURSOR_LENGTH = 1000

/** A cursor is the `next` of an earlier page. */
const cursorSchema = <Cursor>(read: (text: string) => Cursor | null) =>
  z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((text, context): Cursor => {
      const cursor = read(text)
      if (cursor !== null) return cursor
      context.addIssue(apiStrings.input.unknownCursor)
      return z.NEVER
    })
    .openapi({ type: 'string', maxLength: MAX_CURSOR_LENGTH })

const next = z
  .string()
  .nullable()
  .openapi({ description: 'The `cursor` of the next page; null where this is the last.' })

const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_PAGE_SIZE)
  .default(DEFAULT_PAGE_SIZE)
  .openapi({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })

const MAX_IDS = 50

const idsSchema = z
  .string()
  .max(MAX_IDS * 23)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_IDS && ids.every(isDocumentId), {
    error: apiStrings.input.unknownIds(MAX_IDS),
  })
  .openapi({
    type: 'string',
    maxLength: MAX_IDS * 23,
    description: `Only those of these documents, at most ${MAX_IDS}, with commas between.`,
  })

/** What a screen of text bears, and more. */
export const MAX_ASKED_CLIENTS = 200

const clientsSchema = z
  .string()
  .max(MAX_ASKED_CLIENTS * 17)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_ASKED_CLIENTS && ids.every((id) => /^\d{1,16}$/.test(id)), {
    error: apiStrings.input.unknownClients(MAX_ASKED_CLIENTS),
  })
  .transform((ids) => ids.map(Number))
  .openapi({
    type: 'string',
    maxLength: MAX_ASKED_CLIENTS * 17,
    description: `Yjs client ids, at most ${MAX_ASKED_CLIENTS}, with commas between.`,
  })

export const authorQuerySchema = z.object({ clients: clientsSchema })

export const authorListSchema = z.object({
  authors: z.array(
    z.object({
      client: z.number(),
      author: personSchema.openapi({
        description: "Of the id 'server' is what the server wrote: a copy, an import.",
      }),
      since: z.iso
        .datetime()
        .nullable()
        .openapi({ description: 'When the id was used first; null where nobody knows.' }),
    }),
  ),
})

export const listQuerySchema = z
  .object({
    query: z.string().max(MAX_TITLE_LENGTH).optional(),
    ids: idsSchema.optional(),
    filter: z.enum([...listFilters, ...placedFilters]).default('all'),
    folder: folderIdSchema.optional().openapi({ description: 'Only those in this folder of mine.' }),
    sort: z.enum(listSorts).default('edited').openapi({
      description:
        'By the last edit or the creation, the latest first; by title, from A to Z; or those I opened, the latest first.',
    }),
    limit,
    cursor: cursorSchema(readCursor).optional(),
  })
  .refine(({ cursor, sort }) => cursor === undefined || cursor.sort === sort, {
    path: ['cursor'],
    error: apiStrings.input.otherSort,
  })

const preview = z.string().openapi({
  description: 'The beginning of its text, from the index of the search: empty where that has none yet.',
})

export const documentListSchema = z.object({
  documents: z.array(placedDocumentSchema.extend({ preview })),
  next,
})

export const trashedDocumentSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    deletedAt: z.iso.datetime(),
    purgedAt: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When it is deleted for good; null where that is never done by itself.' }),
  })
  .openapi('TrashedDocument')

function readTrashCursor(text: string): TrashCursor | null {
  const [, deletedAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? []
  return id === undefined ? null : { deletedAt: Number(deletedAt), id }
}

export const writeTrashCursor = ({ deletedAt, id }: TrashCursor): string => `${deletedAt}.${id}`

export const trashQuerySchema = z.object({ limit, cursor: cursorSchema(readTrashCursor).optional() })

export const trashListSchema = z.object({ documents: z.array(trashedDocumentSchema), next })

export const newDocumentSchema = z.object({
  title: title.optional(),
  template: z
    .enum(builtInTemplateNames)
    .optional()
    .openapi({ description: 'What it begins with; without one it is empty.' }),
})

export const copySchema = z.object({
  title: title.optional().openapi({ description: 'By default “Copy of …”.' }),
})

export const documentChangeSchema = z
  .object({ title: title.optional(), proposals: z.enum(proposersNames).optional() })
  .refine(({ title: newTitle, proposals }) => newTitle !== undefined || proposals !== undefined, {
    error: apiStrings.input.noChange,
  })

export const newShareLinkSchema = z.object({ role: z.enum(shareLinkRoleNames) })

export const shareLinkChangeSchema = z.strictObject({ open: z.boolean() })

export const createdShareLinkSchema = z
  .object({
    id: z.string(),
    role: z.enum(shareLinkRoleNames),
    token: z
      .string()
      .openapi({ description: 'The server keeps only its digest, and the secret it follows from.' }),
    url: z.string().openapi({ example: '/d/…#token=…' }),
  })
  .openapi('MadeLink')

export const redeemedLinkSchema = z.object({
  url: z.string().nullable().openapi({ example: '/d/…#token=…' }),
})

export const shareLinkListSchema = z.object({
  links: z.array(
    z.object({
      id: z.string(),
      role: z.enum(shareLinkRoleNames),
      createdAt: z.iso.datetime(),
      url: z.string().nullable().openapi({
        example: '/d/…#token=…',
        description:
          'Null for a link made while the server had another secret: it works, and cannot be shown.',
      }),
      open: z.boolean().openapi({ description: 'False if nobody new comes by it.' }),
      people: z.number().openapi({ description: 'How many have access by it.' }),
    }),
  ),
})

function readPeopleCursor(text: string): PeopleCursor | null {
  const [, joinedAt, id] = /^(\d{1,15})\.([\w:-]+)$/.exec(text) ?? []
  return id === undefined ? null : { joinedAt: Number(joinedAt), id }
}

export const writePeopleCursor = ({ joinedAt, id }: PeopleCursor): string => `${joinedAt}.${id}`

export const peopleWithAccessQuerySchema = z.object({
  limit,
  cursor: cursorSchema(readPeopleCursor).optional(),
})

export const peopleWithAccessSchema = z.object({
  people: z.array(personSchema.extend({ role: z.enum(shareLinkRoleNames), joinedAt: z.iso.datetime() })),
  next,
})

const versionNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_VERSION_NAME_LENGTH)
  .transform((text) => text.toWellFormed())
  .openapi({ type: 'string', minLength: 1, maxLength: MAX_VERSION_NAME_LENGTH, example: 'Before the review' })

export const versionSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable().openapi({ description: 'Without one it is thinned out in time.' }),
    createdAt: z.iso.datetime(),
    authors: z.array(personSchema).openapi({ description: 'Who wrote since the version before.' }),
    bytes: z.int().openapi({ description: 'As stored, compressed.' }),
  })
  .openapi('Version')

export const versionListSchema = z.object({
  versions: z.array(versionSchema),
  hasRoom: z.boolean().openapi({
    description:
      'Whether there is space for automatic versions. Otherwise none are kept until somebody makes room.',
  }),
})

export const newVersionSchema = z.object({ name: versionNameSchema.nullable().default(null) })

export const versionChangeSchema = z.object({ name: versionNameSchema.nullable() })

/** Has the shape of `Figure` in lib/protocol/lab.ts. */
export const figureSchema = z
  .object({
    chart: z.int(),
    name: z.string(),
    unit: z.enum(['bytes', 'percent', 'per second', 'ms', 'count']),
    waitedMs: z.int().openapi({ description: 'What the seed had it wait, before it was answered.' }),
    everyMs: z.int().openapi({ description: 'Between two values.' }),
    values: z.array(z.number()).openapi({ description: 'Oldest first.' }),
  })
  .openapi('Figure')

export const redemptionSchema = z.object({ token: z.string() })

export const heldRoleSchema = z.object({
  role: z.enum(roleNames),
  sharedBy: personSchema
    .nullable()
    .openapi({ description: 'Who made the link; null where nobody knows them any more.' }),
})

const ticket = z.string().min(1).max(100)

export const createdTicketSchema = z
  .object({
    ticket: ticket.openapi({ description: 'Shown once: the server keeps only its digest.' }),
    expiresInMs: z.number().int(),
    addresses: z.array(z.url()).openapi({
      description:
        'Where another device may find this server, the best first; none where the address that was asked is known to do.',
    }),
  })
  .openapi('DeviceTicket')

export const presentedTicketSchema = z.object({ ticket })

/** So many results are shown at most, page by page: whoever looks for more adds a word. */
export const MAX_FOUND = 500

const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(MAX_FOUND)
  .default(0)
  .openapi({ type: 'string', description: 'The `next` of the page before.' })

export const backlinksQuerySchema = z.object({ limit, cursor: offset })

export const backlinksSchema = z.object({
  documents: z.array(
    documentSchema.pick({ id: true, title: true, owner: true, updatedAt: true }).extend({ preview }),
  ),
  next,
})

export const searchQuerySchema = z.object({
  q: z.string().openapi({
    description: 'Words, and phrases in quotation marks. The last word may be the beginning of one.',
    example: 'budget plan',
  }),
  filter: z.enum(searchFilters).default('all'),
  folder: folderIdSchema
    .optional()
    .openapi({ description: 'Only what is in this folder of mine, or in one within it.' }),
  editedSince: z.iso
    .datetime()
    .transform((time) => Date.parse(time))
    .optional()
    .openapi({ type: 'string', format: 'date-time' }),
  sort: z.enum(searchSorts).default('best'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(20)
    .openapi({ type: 'integer', minimum: 1, maximum: 50, default: 20 }),
  cursor: offset,
})

const marksSchema = z
  .array(z.object({ from: z.number(), to: z.number() }))
  .readonly()
  .openapi({ description: 'Where the words are, in UTF-16 units.' })

export const searchResultsSchema = z.object({
  results: z.array(
    z.object({
      document: z.string(),
      title: z.string(),
      titleMarks: marksSchema,
      snippet: z.object({ text: z.string(), marks: marksSchema }),
      owner: personSchema,
      updatedAt: z.iso.datetime(),
    }),
  ),
  next,
})

function readProposalCursor(text: string): ProposalCursor | null {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? []
  return id === undefined ? null : { createdAt: Number(createdAt), id }
}

export const writeProposalCursor = ({ createdAt, id }: ProposalCursor): string => `${createdAt}.${id}`

export const proposalQuerySchema = z.object({
  state: z.enum(proposalStates).optional(),
  limit,
  cursor: cursorSchema(readProposalCursor).optional(),
})

export const newProposalSchema = z.object({ title: title.default('') })

const amount = z.int().nonnegative()

export const acceptanceSchema = z.strictObject({
  byParts: z.boolean().default(false).openapi({
    description:
      'Its changes were made in the document one by one: it is only closed. False merges all that was written in it.',
  }),
  seen: z.strictObject({ written: amount, deleted: amount }).optional().openapi({
    description:
      'How much of the proposal’s text whoever accepts it has seen, in clocks of Yjs: what was ever written, and what of that is deleted. Where it has more by now, nothing is merged. Without it, all that is saved is merged.',
  }),
})

const personWithColourSchema = personSchema.extend({ colour: colour.nullable() })

export const proposalSchema = z
  .object({
    id: z.string().openapi({ description: 'Of the document that it is.' }),
    original: z.string(),
    title: z.string(),
    state: z.enum(proposalStates),
    author: personWithColourSchema,
    base: z.string().openapi({ description: 'The version of the proposal’s document that it began with.' }),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    decidedBy: personSchema.nullable(),
    mayDecide: z.boolean(),
    mayWrite: z.boolean(),
  })
  .openapi('Proposal')

export const proposalListSchema = z.object({ proposals: z.array(proposalSchema), next })

const decision = z.enum(proposalDecisions)

/** The limit in bytes of UTF-8. */
const MAX_CHANGE_KEY_BYTES = 64

const changeKey = z
  .string()
  .refine((key) => key.isWellFormed() && Buffer.byteLength(key) <= MAX_CHANGE_KEY_BYTES, {
    error: apiStrings.input.longKey(MAX_CHANGE_KEY_BYTES),
  })

export const newDecisionsSchema = z.strictObject({
  keys: z.array(changeKey).max(MAX_DECISIONS).openapi({ description: 'Of changes.' }),
  decision: decision.nullable().openapi({ description: 'Null takes earlier decisions back.' }),
  of: z.string().optional().openapi({
    description: 'Whose earlier decisions these replace: the id of a person, by default one’s own.',
  }),
})

export const notedDecisionsSchema = z.object({
  decided: z.array(z.string()).openapi({
    description: 'The keys that were noted. About the others somebody has decided already.',
  }),
})

export const proposalWithDecisionsSchema = proposalSchema.extend({
  decisions: z
    .record(z.string(), z.object({ decision, by: personSchema }))
    .openapi({ description: 'What was decided about single changes, by their keys, and by whom.' }),
})
