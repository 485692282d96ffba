/** The page's schema: what a text may contain, and what stands for parts that this page does not know. */
import { type Extensions, getSchema } from '@tiptap/core'
import { letTogglesJoin } from '@/components/blocks/toggle/join-toggles.ts'
import { schemaExtensions } from './schema-extensions.ts'
import { unknownParts } from '@/components/binding/unknown-parts.ts'

export const pageSchemaExtensions: Extensions = [...schemaExtensions, ...unknownParts]

export const pageSchema = getSchema(pageSchemaExtensions)
letTogglesJoin(pageSchema)
