-- Days that are over are forgotten by a job: a call that counts one use need not look for them.
revoke delete on allowance_uses from broadside_api;
grant select, delete on allowance_uses to broadside_worker;
