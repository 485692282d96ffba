/** The shapes of the HTTP API, as it checks them and as OpenAPI tells them. */
import { z } from '@hono/zod-openapi'
import { MAX_TITLE } from './documents.ts'

const roles = ['viewer', 'editor', 'owner'] as const
const linkRoles = ['viewer', 'editor'] as const

const title = z
  .string()
  .max(MAX_TITLE)
  .transform((text) => text.toWellFormed())
  .openapi({ type: 'string', maxLength: MAX_TITLE, example: 'Budget plan' })

export const errorBody = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .openapi('Error')

export const me = z.object({ id: z.string(), name: z.string() }).openapi('Me')

export const document = z
  .object({
    id: z.string(),
    title: z.string(),
    role: z.enum(roles),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Document')

export const documentList = z.object({ documents: z.array(document) })

export const newDocument = z.object({ title: title.optional() })

export const documentChange = z.object({ title })

export const newLink = z.object({ role: z.enum(linkRoles) })

export const madeLink = z
  .object({
    id: z.string(),
    role: z.enum(linkRoles),
    token: z.string().openapi({ description: 'Told once: the server keeps only its digest.' }),
    url: z.string().openapi({ example: '/d/…#token=…' }),
  })
  .openapi('MadeLink')

export const linkList = z.object({
  links: z.array(z.object({ id: z.string(), role: z.enum(linkRoles), createdAt: z.iso.datetime() })),
})

export const redemption = z.object({ token: z.string() })

export const heldRole = z.object({ role: z.enum(roles) })

const ticket = z.string().min(1).max(100)

export const madeTicket = z
  .object({
    ticket: ticket.openapi({ description: 'Told once: the server keeps only its digest.' }),
    expiresInMs: z.number().int(),
    addresses: z.array(z.url()).openapi({
      description:
        'Where another device may find this server, the best first; none where the address that was asked is known to do.',
    }),
  })
  .openapi('DeviceTicket')

export const shownTicket = z.object({ ticket })
