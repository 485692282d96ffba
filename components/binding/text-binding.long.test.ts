import { describeTextBinding } from './text-binding.contract.ts'

describeTextBinding(100)
