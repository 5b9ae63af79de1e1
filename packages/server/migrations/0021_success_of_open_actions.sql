-- PUT /actions/{id} accepts each of its fields alone, so an open action can have success. Its end overwrites the value.
alter table actions drop constraint actions_success_check;
