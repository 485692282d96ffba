import { describeUndo } from './undo.contract.ts'

describeUndo(100)
