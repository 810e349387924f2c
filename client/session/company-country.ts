import { type CallingCode, homeCode } from '../../schema/contacts/contacts.phone.ts'
import { useUser } from './session.tsx'

/** Which country's numbers people of this company type without their calling code. */
export const useCallingCode = (): CallingCode => useUser().company.callingCode ?? homeCode
