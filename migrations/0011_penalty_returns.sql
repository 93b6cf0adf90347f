-- An upheld appeal gives a penalty back: to the debt as far as one stands, the rest to the prepaid balance.
alter type ledger_reason add value 'penalty_return';
