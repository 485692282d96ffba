import fc from 'fast-check'
import { describeBlock } from '../block.contract.ts'
import { taskItem, taskList } from './task-list.ts'

describeBlock(taskList)
describeBlock(taskItem, { attributes: fc.record({ checked: fc.boolean() }) })
