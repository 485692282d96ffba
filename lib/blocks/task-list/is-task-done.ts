import type { StoredAttributes } from '../definitions.ts'

export const isTaskDone = ({ checked }: StoredAttributes): boolean => checked === true
