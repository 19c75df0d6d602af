use super::*;
impl SkillEntry {
    pub fn id(&self) -> &str { &self.id }
    pub fn call(&self, request: &Request) -> Result<Run, SkillError> { (self.handler)(request) }
}
