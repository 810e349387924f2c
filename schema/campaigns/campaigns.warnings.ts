/** What people are told before they start a campaign. */
export interface CampaignWarning {
  code:
    | 'no_connection'
    | 'connection_closed'
    | 'no_message'
    | 'nobody'
    | 'unchecked'
    | 'missing'
    | 'nameless'
    | 'too_long'
    | 'never_ends'
    | 'never_open'
    | 'never_daily_cap'
    | 'never_new_chats'
    | 'no_guard'
  /** Of how many people. */
  n?: number
  /** Of variables. */
  names?: string[]
}
