import { type Extensions, getSchema } from '@tiptap/core'
import { blockExtensions, shownOnlyExtensions } from '../blocks/blocks.ts'
import { ListKeys } from './list-keys.ts'
import { DropCursor } from './paste/drop-cursor.ts'

/**
 * The extensions that define what a text may contain. Unlike Tiptap's StarterKit they have no undo, which would also take back other
 * people's edits, and no paragraph that is added to the end of the shared text, once in every window that opens it.
 */
export const schemaExtensions: Extensions = [...blockExtensions, ...shownOnlyExtensions, DropCursor, ListKeys]

export const textSchema = getSchema(schemaExtensions)
