/** The shapes of the HTTP API that several routes share, and those of proposals. Every other stands beside its route. */
import { z } from '@hono/zod-openapi'
import { colourNames } from '../../lib/protocol/palette.ts'
import { MAX_DECISIONS_AT_ONCE } from '../../lib/protocol/limits.ts'
import { isRandomId } from '../../lib/protocol/ids.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { MAX_TITLE_LENGTH } from './document-rows.ts'
import { type ProposalCursor, proposalDecisions, proposalStates } from '../proposals/proposal-rows.ts'

export const roleNames = ['viewer', 'editor', 'owner'] as const

export const shareLinkRoleNames = ['viewer', 'editor'] as const

export const title = z
  .string()
  .max(MAX_TITLE_LENGTH)
  .transform((text) => text.toWellFormed())
  .openapi({ type: 'string', maxLength: MAX_TITLE_LENGTH, example: 'Budget plan' })

export const personSchema = z.object({ id: z.string(), name: z.string() }).openapi('Me')

export const colour = z.enum(colourNames)

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

export const folderIdSchema = z.string().refine(isRandomId, { error: apiStrings.input.unknownFolder })

export const placementFields = {
  folder: folderIdSchema.nullable().openapi({ description: 'My folder that has it; null for none.' }),
  favourite: z.boolean(),
  template: z.boolean().openapi({ description: 'Whether its text is offered to me for new documents.' }),
}

const MAX_PAGE_SIZE = 200

const DEFAULT_PAGE_SIZE = 100

/** The limit in characters, of which a title's key, encoded, needs the most. */
const MAX_CURSOR_LENGTH = 1000

/** A cursor is the `next` of an earlier page. */
export const cursorSchema = <Cursor>(read: (text: string) => Cursor | null) =>
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

export const next = z
  .string()
  .nullable()
  .openapi({ description: 'The `cursor` of the next page; null where this is the last.' })

export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_PAGE_SIZE)
  .default(DEFAULT_PAGE_SIZE)
  .openapi({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })

/** What a screen of text bears, and more. */
export const MAX_ASKED_CLIENTS = 200

export const preview = z.string().openapi({
  description: 'The beginning of its text, from the index of the search: empty where that has none yet.',
})

/** So many results are shown at most, page by page: whoever looks for more adds a word. */
export const MAX_FOUND = 500

export const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(MAX_FOUND)
  .default(0)
  .openapi({ type: 'string', description: 'The `next` of the page before.' })

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
      'How much of the proposal’s text whoever accepts it has seen, in clocks of Yjs: what was ever written, and what of that is deleted. Where it has more by now, nothing is merged or closed. Without it, all that is saved is merged.',
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
  keys: z.array(changeKey).max(MAX_DECISIONS_AT_ONCE).openapi({ description: 'Of changes.' }),
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
